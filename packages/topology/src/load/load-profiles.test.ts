import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isTroupeError, type Problem, profilePool, topologyBundle } from "@troupe/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readYaml } from "../yaml/read-yaml.ts";
import { bundleTopology } from "./bundle-topology.ts";
import { checkFile } from "./check-file.ts";
import { nodeFiles } from "./file-access.ts";
import { loadTopology } from "./load-topology.ts";

let folder = "";
const { signal } = new AbortController();
const pool = (...profiles: string[]) => `pool: 1\nname: p\nprofiles:\n${profiles.map((line) => `  - ${line}\n`).join("")}`;
const [ada, bob] = ["{ name: ada, text: You count. }", "{ name: bob, text: You doubt. }"] as const;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-profiles-"));
  await write("project/package.json", "{}");
  await write("project/agents/programmer.yaml", "agent: 1\nname: programmer\nkind: actor\ninstructions: Work.\n");
  await write("project/agents/profiles/people.yaml", pool(ada, bob));
});

afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

/** Loads a chain whose actors draw from a pool. */
async function load(path: string, more = "") {
  const lines = ["troupe: 1", "name: t", "shape: { kind: chain, size: 2 }", "defaults:", "  actor: agents/programmer.yaml"];
  await write("project/topologies/t.yaml", [...lines, `  profiles: { actor: ${JSON.stringify(path)}${more} }`, ""].join("\n"));
  return loadTopology(join(folder, "project/topologies/t.yaml"), { signal });
}

async function problemsOf(work: Promise<unknown>): Promise<Problem[]> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isTroupeError(error)) throw new Error("no TroupeError was thrown", { cause: error });
  return error.problems.map((problem) => ({ ...problem, file: problem.file.replace(`${folder}/project/`, "") }));
}

it("loadTopology() keeps pools in the bundle, so that a log needs no file to make the same graph", async () => {
  const { bundle, graph, warnings } = await load("agents/profiles/people.yaml");
  expect(warnings).toEqual([]);
  if (graph.director !== "graph") throw new Error("not a graph");
  expect(graph.nodes.map(({ profile }) => profile?.text).sort()).toEqual(["You count.", "You doubt."]);
  await rm(folder, { recursive: true });
  await mkdir(folder);
  const logged = topologyBundle.parse(JSON.parse(JSON.stringify(bundle)));
  expect(bundleTopology(logged).graph).toEqual(graph);
});

it.each([
  ["agents/profiles/peple.yaml", { code: "file_missing", hint: 'did you mean "agents/profiles/people.yaml"?' }],
  ["people.yaml", { code: "file_missing", hint: 'did you mean "agents/profiles/people.yaml"?' }],
  ["../people.yaml", { code: "path_escapes", expected: expect.stringContaining("agents/profiles/engineers.yaml") as string }],
  ["/etc/passwd", { code: "path_escapes" }],
  ["agents", { code: "file_unreadable", expected: "the path of a pool of profiles" }],
])("loadTopology() locates what is wrong with the path of a pool: %s", async (path, problem) => {
  expect(await problemsOf(load(path))).toMatchObject([{ file: "topologies/t.yaml", line: 6, column: 22, ...problem }]);
});

it.each([
  ["profiles: []", 3, "profiles is an empty list"],
  ["profiles: [{ name: ada, txt: You count. }]", 3, 'unknown key "txt" in profiles[0]'],
  [`profiles: [${ada}, ${bob}, ${ada}]`, 3, 'profiles[2].name is "ada", as in profiles[0]; give it another name'],
  ['profiles: [{ name: ada, text: " " }]', 3, 'profiles[0].text is " "'],
])("loadTopology() locates what is wrong in a pool: %s", async (line, at, message) => {
  await write("project/agents/profiles/bad.yaml", `pool: 1\nname: p\n${line}\n`);
  const problems = await problemsOf(load("agents/profiles/bad.yaml"));
  expect(problems.map(({ file, line: of, message: text }) => ({ file, line: of, text }))).toContainEqual({
    file: "agents/profiles/bad.yaml",
    line: at,
    text: message,
  });
});

it("loadTopology() says of an unknown key of `profiles` what was meant", async () => {
  const [problem] = await problemsOf(load("agents/profiles/people.yaml", ", sed: 3"));
  expect(problem).toMatchObject({ message: 'unknown key "sed" in defaults.profiles', hint: 'did you mean "seed"?' });
});

it("checkFile() knows a pool of profiles", async () => {
  const path = join(folder, "project/agents/profiles/people.yaml");
  expect(await checkFile(path, { signal })).toEqual({ kind: "profiles", problems: [], description: "p: 2 profiles" });
});

it.each([
  ["engineers", 24],
  ["thinkers", 16],
])("agents/profiles/%s.yaml holds %i different people in the form that agents are given", async (name, size) => {
  const path = fileURLToPath(new URL(`../../../../agents/profiles/${name}.yaml`, import.meta.url));
  const { value, problems } = readYaml(profilePool, { path, text: await nodeFiles.read(path, 100_000) });
  expect(problems).toEqual([]);
  expect(value?.profiles).toHaveLength(size);
  for (const { text } of value?.profiles ?? []) {
    expect(text).toMatch(/^You\b.*\.$/s);
    expect(text.split(/[.?!](?:\s|$)/).length - 1).toBeLessThanOrEqual(3);
  }
});
