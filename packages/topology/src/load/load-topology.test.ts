import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { isTroupeError, type TroupeError } from "@troupe/schema";
import { afterEach, beforeEach, expect, it } from "vitest";
import { nodeFiles } from "./file-access.ts";
import { loadTopology, type LoadOptions } from "./load-topology.ts";

let folder = "";
const { signal } = new AbortController();

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-topology-"));
  await write("project/package.json", "{}");
  for (const [name, kind] of Object.entries({ programmer: "actor", reviewer: "critic", merger: "aggregator" })) {
    await write(`project/agents/${name}.yaml`, card(name, kind));
  }
});

afterEach(() => rm(folder, { recursive: true }));

async function write(path: string, text: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}

function card(name: string, kind: string): string {
  return `agent: 1\nname: ${name}\nkind: ${kind}\ninstructions: Work.\n`;
}

/** Writes a topology whose two nodes take these agents, and loads it. */
async function load(agents: [string, string?], options: Partial<LoadOptions> = {}) {
  const nodes = agents.map((agent, i) => `  - { id: n${i}, agent: ${JSON.stringify(agent)} }`);
  const merger = agents.length > 1 ? "defaults: { aggregator: agents/merger.yaml }\n" : "";
  await write("project/topologies/t.yaml", `troupe: 1\nname: t\nnodes:\n${nodes.join("\n")}\n${merger}`);
  return loadTopology(join(folder, "project/topologies/t.yaml"), { signal, ...options });
}

async function fails(work: Promise<unknown>): Promise<TroupeError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!isTroupeError(error)) throw new Error("no TroupeError was thrown", { cause: error });
  return error;
}

async function problemsOf(work: Promise<unknown>) {
  const { code, problems } = await fails(work);
  expect(code).toBe("file_invalid");
  return problems.map((problem) => ({ ...problem, file: problem.file.replace(`${folder}/project/`, "") }));
}

it("loadTopology() gives the bundle, with cards by the path that was written, and the compiled graph", async () => {
  const { bundle, graph, warnings } = await load(["agents/programmer.yaml", "./agents/programmer.yaml"]);
  expect(Object.keys(bundle.cards).sort()).toEqual(["./agents/programmer.yaml", "agents/merger.yaml", "agents/programmer.yaml"]);
  expect(bundle.file.nodes).toHaveLength(2);
  expect(graph).toMatchObject({ director: "graph", name: "t", sources: [0, 1] });
  expect(Object.keys(graph.agents).sort()).toEqual(["merger", "programmer"]);
  expect(warnings).toEqual([]);
});

it("loadTopology() finds a card in the nearest folder that has it, up to the project's", async () => {
  await write("project/topologies/agents/programmer.yaml", card("nearer", "actor"));
  const { graph } = await load(["agents/programmer.yaml"]);
  expect(Object.keys(graph.agents)).toContain("nearer");
});

it("loadTopology() looks no further than the project, and only in a root that is given", async () => {
  await write("agents/outside.yaml", card("outside", "actor"));
  expect(await problemsOf(load(["agents/outside.yaml"]))).toMatchObject([{ line: 4, column: 22, code: "file_missing" }]);
  await write("project/topologies/agents/programmer.yaml", card("nearer", "actor"));
  const { graph } = await load(["agents/programmer.yaml"], { root: join(folder, "project") });
  expect(Object.keys(graph.agents)).toContain("programmer");
});

it.each([["agents/programer.yaml"], ["agents/programmer.yml"], ["programmer.yaml"], ["agent/programmer.yaml"]])(
  "loadTopology() suggests the neighbour of the missing %s",
  async (path) => {
    const [problem, ...rest] = await problemsOf(load([path, path]));
    expect(rest).toEqual([]);
    expect(problem).toMatchObject({
      file: "topologies/t.yaml",
      line: 4,
      message: `there is no file "${path}"`,
      hint: 'did you mean "agents/programmer.yaml"?',
      code: "file_missing",
    });
  },
);

it.each([
  ["../../etc/passwd"],
  ["/etc/passwd"],
  ["agents/../../secret.yaml"],
  ["C:\\secret.yaml"],
  ["..\\secret.yaml"],
  ["\\\\host\\share"],
  ["a\0b"],
])("loadTopology() refuses the path %j, which leaves the project", async (path) => {
  await write("secret.yaml", card("secret", "actor"));
  expect(await problemsOf(load([path]))).toMatchObject([{ line: 4, column: 22, code: "path_escapes" }]);
});

it.each([["../agents/programmer.yaml"], ["..\\agents\\programmer.yaml"], ["./../../agents/programer.yml"]])(
  "loadTopology() says how the path %j, which is meant from the file, is written from the project folder",
  async (path) => {
    const [problem] = await problemsOf(load([path]));
    expect(problem).toMatchObject({ code: "path_escapes", hint: 'did you mean "agents/programmer.yaml"?' });
  },
);

it("loadTopology() follows links only inside the project", async () => {
  await write("secret.yaml", card("secret", "actor"));
  await mkdir(join(folder, "elsewhere"));
  await write("elsewhere/secret.yaml", card("secret", "actor"));
  await symlink(join(folder, "secret.yaml"), join(folder, "project/agents/link.yaml"));
  await symlink(join(folder, "elsewhere"), join(folder, "project/linked"));
  await symlink("programmer.yaml", join(folder, "project/agents/alias.yaml"));
  expect(await problemsOf(load(["agents/link.yaml"]))).toMatchObject([{ code: "path_escapes" }]);
  expect(await problemsOf(load(["linked/secret.yaml"]))).toMatchObject([{ code: "path_escapes" }]);
  const missing = await problemsOf(load(["linked/secre.yaml"]));
  expect(missing).toMatchObject([{ code: "file_missing" }]);
  expect(missing[0]?.hint).toBeUndefined();
  expect(Object.keys((await load(["agents/alias.yaml"])).graph.agents)).toContain("programmer");
});

it("loadTopology() reports a folder and a broken link as what they are", async () => {
  await symlink("nowhere.yaml", join(folder, "project/agents/broken.yaml"));
  expect(await problemsOf(load(["agents"]))).toMatchObject([{ message: '"agents" is not a file', code: "file_unreadable" }]);
  expect(await problemsOf(load(["agents/broken.yaml"]))).toMatchObject([{ code: "file_missing" }]);
});

it("loadTopology() reports all problems of the topology and of its cards at once", async () => {
  await write("project/agents/bad.yaml", "agent: 1\nname: bad\nkind: actr\ntools: [hammer]\n");
  await write("project/agents/binary.yaml", Uint8Array.of(0, 1, 2));
  const lines = [
    "troupe: 1",
    "name: t",
    "nodes:",
    "  - { id: a, agent: agents/bad.yaml, temperature: hot }",
    "  - { id: b, agent: agents/reviewer.yaml }",
    "  - { id: c, agent: agents/nobody.yaml }",
    "  - { id: d, agent: agents/binary.yaml }",
    "edges: [a -> b -> c -> a, c -> dd]",
    "limits: { tokns: 3 }",
  ];
  await write("project/topologies/t.yaml", lines.join("\n"));
  const error = await fails(loadTopology(join(folder, "project/topologies/t.yaml"), { signal }));
  const shown = error.problems.map(({ file, line, message }) => `${file.replace(`${folder}/project/`, "")}:${line} ${message}`);
  expect(shown).toEqual([
    'topologies/t.yaml:4 nodes[0].temperature is "hot"',
    'topologies/t.yaml:5 "agents/reviewer.yaml" is the card of a critic, not of an actor',
    'topologies/t.yaml:6 there is no file "agents/nobody.yaml"',
    "topologies/t.yaml:8 the edges go round in a circle: a -> b (line 8) -> c (line 8) -> a (line 8)",
    'topologies/t.yaml:8 no node is called "dd"',
    'topologies/t.yaml:9 unknown key "tokns" in limits',
    'agents/bad.yaml:1 "instructions" is missing',
    'agents/bad.yaml:3 kind is "actr"',
    'agents/bad.yaml:4 tools[0] is "hammer"',
    "agents/binary.yaml:1 the file is binary, not text",
  ]);
  for (const { message } of error.problems) expect(error.message).toContain(message);
  expect(error.message).toMatch(/t\.yaml has 10 problems:/);
});

it("loadTopology() says no more than is known when a part is broken", async () => {
  const of = async (text: string) => {
    await write("project/t.yaml", `troupe: 1\nname: t\n${text}\n`);
    return (await problemsOf(loadTopology(join(folder, "project/t.yaml"), { signal }))).map(({ message }) => message);
  };
  expect(await of("shape: chain")).toEqual(['shape is "chain"']);
  expect(await of("director: fixed\nagents: []")).toEqual(["agents is an empty list"]);
  expect(await of("nods: [{ id: a }]\nedges: [a -> b]")).toEqual(['unknown key "nods"']);
  expect(await of("shape: { kind: chain, size: 2 }\ndefaults: { actr: agents/programmer.yaml }")).toEqual([
    'unknown key "actr" in defaults',
  ]);
  expect(await of("directr: fixed\nagents: [agents/programmer.yaml]")).toEqual(['unknown key "directr"']);
  expect(await of("nodes: [{ agent: agents/x.yaml }]\ndefaults: { critic: agents/y.yaml }")).toEqual([
    '"id" is missing in nodes[0]',
    'there is no file "agents/y.yaml"',
  ]);
});

it("loadTopology() throws for a topology that can't be read at all", async () => {
  const missing = await fails(loadTopology(join(folder, "project/agents/merge.yaml"), { signal }));
  expect(missing).toMatchObject({ code: "file_missing" });
  expect(missing.message).toContain("merger.yaml");
  expect(await fails(loadTopology(folder, { signal }))).toMatchObject({ code: "file_unreadable" });
  expect(await fails(loadTopology("/dev/zero", { signal }))).toMatchObject({ code: "file_unreadable" });
});

it("loadTopology() reads no more of a big file than it must", async () => {
  await write("project/big.yaml", "a: 1\n".repeat(2_000_000));
  const reads: number[] = [];
  const files = {
    ...nodeFiles,
    read: async (path: string, most: number) => {
      const bytes = await nodeFiles.read(path, most);
      reads.push(bytes.length);
      return bytes;
    },
  };
  const [problem] = await problemsOf(loadTopology(join(folder, "project/big.yaml"), { signal, files }));
  expect(problem?.message).toBe("the file is too big to be read");
  expect(reads).toEqual([1_000_001]);
});

it("loadTopology() stops when it is aborted", async () => {
  const reason = new Error("enough");
  await expect(load(["agents/programmer.yaml"], { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
