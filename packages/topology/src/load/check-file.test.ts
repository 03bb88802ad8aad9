import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { checkFile } from "./check-file.ts";

let folder = "";
const { signal } = new AbortController();

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-check-"));
});
afterAll(() => rm(folder, { recursive: true }));

async function check(name: string, text: string) {
  await writeFile(join(folder, name), text);
  return checkFile(join(folder, name), { signal });
}

const card = "agent: 1\nname: solo\nkind: actor\ninstructions: Work.\ntools: [run_tests]\nturns: 3\n";

it("checkFile() describes a role card, a topology and a troupe.yaml", async () => {
  expect(await check("solo.yaml", card)).toEqual({
    kind: "agent",
    problems: [],
    description: "solo: actor, model default, tools run_tests, at most 3 model calls",
  });
  const topology = await check(
    "t.yaml",
    "troupe: 1\nname: t\nshape: { kind: chain, size: 2 }\ndefaults: { actor: solo.yaml }\nlimits: { calls: 1000 }\n",
  );
  expect(topology).toMatchObject({ kind: "topology", problems: [] });
  expect(topology.description).toContain("2 activations, 6 model calls");
  expect(await check("troupe.yaml", "models: { small: { embedded: tiny } }\n")).toMatchObject({
    kind: "project",
    problems: [],
    description: "models: small (tiny); sandbox: auto",
  });
});

it("checkFile() knows an experiment, and sends its user to the check of all that it names", async () => {
  const text = "experiment: 1\nname: x\ntasks: { set: programs }\nsystems: [{ topology: t.yaml }]\n";
  const { kind, problems, description } = await check("x.yaml", text);
  expect([kind, problems]).toEqual(["experiment", []]);
  expect(description).toBe("x: 1 system; what it names is checked by troupe experiment check");
  expect(await check("y.yaml", `${text}job: 2\n`)).toMatchObject({
    kind: "experiment",
    problems: [{ line: 5, hint: expect.stringContaining("jobs") }],
  });
});

it("checkFile() reports problems of each kind of file", async () => {
  expect(await check("a.yaml", "agent: 1\nname: A\n")).toMatchObject({ kind: "agent", problems: [{}, {}, {}], description: "" });
  expect(await check("b.yaml", "troupe: 1\nname: b\nshape: { kind: ring, size: 2 }\n")).toMatchObject({
    kind: "topology",
    problems: [{ line: 3 }],
  });
  expect(await check("c.yaml", "models: []\n")).toMatchObject({ kind: "project", problems: [{ message: "models is an empty list" }] });
  expect(await check("d.yaml", "")).toMatchObject({ kind: "unknown", problems: [{ message: "the file is empty" }] });
  expect(await check("e.yaml", "x: 1\n")).toMatchObject({ kind: "unknown", problems: [{ message: "it can't be told what this file is" }] });
});

it("checkFile() reports a missing file as a problem, and throws only when aborted", async () => {
  expect(await checkFile(join(folder, "none.yaml"), { signal })).toMatchObject({
    kind: "unknown",
    problems: [{ code: "file_missing", line: 1 }],
  });
  const reason = new Error("enough");
  await expect(checkFile(join(folder, "none.yaml"), { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
});
