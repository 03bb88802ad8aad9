import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entryOf } from "@troupe/schema";
import { afterEach, beforeEach, expect, test } from "vitest";
import { builtinSets } from "./builtin-sets.ts";
import { loadTasks } from "./load-tasks.ts";

const { signal } = new AbortController();
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-tasks-"));
});
afterEach(() => rm(folder, { recursive: true }));

const readFile = async () => new TextEncoder().encode('{"id":"a","prompt":"x","tags":["t"]}\n{"id":"b","prompt":"y","tags":["t","u"]}\n');

test("loadTasks() loads every built-in set", async () => {
  const counts = await Promise.all(builtinSets.map(async ({ name }) => [name, (await loadTasks(name, { signal })).length]));
  expect(counts).toEqual([
    ["starter", 30],
    ["programs", 3],
  ]);
});

test("loadTasks() gives built-in tasks that can be graded and name their interface", async () => {
  const tasks = [...(await loadTasks("starter", { signal })), ...(await loadTasks("programs", { signal }))];
  for (const task of tasks) {
    expect(task.grader?.kind, task.id).toBe("tests");
    expect(task.prompt, task.id).toContain(entryOf(task));
  }
  const count = (tag: string) => tasks.filter((task) => task.tags.includes(tag)).length;
  expect([count("function"), count("javascript"), count("typescript"), count("multi-file")]).toEqual([12, 6, 2, 8]);
});

test("loadTasks() filters by tags before it counts to the limit", async () => {
  expect((await loadTasks("some.jsonl", { signal, readFile, limit: 1 })).map((task) => task.id)).toEqual(["a"]);
  expect((await loadTasks("some.jsonl", { signal, readFile, limit: 1, tags: ["t", "u"] })).map((task) => task.id)).toEqual(["b"]);
  expect(await loadTasks("some.jsonl", { signal, readFile, tags: ["v"] })).toEqual([]);
});

test("loadTasks() refuses a limit below 1", async () => {
  for (const limit of [0, -3, Number.NaN]) {
    await expect(loadTasks("starter", { signal, limit })).rejects.toMatchObject({ code: "call_invalid" });
  }
});

test("loadTasks() names the built-in sets when there is no such file", async () => {
  await expect(loadTasks(join(folder, "startr"), { signal })).rejects.toMatchObject({
    code: "file_missing",
    message: expect.stringContaining("starter, programs"),
  });
});

test("loadTasks() reads a folder of task folders", async () => {
  await mkdir(join(folder, "double", "hidden"), { recursive: true });
  await writeFile(join(folder, "double", "task.md"), "---\nlanguage: python\ntest: test_hidden.py\n---\nWrite `main.py`.\n");
  await writeFile(join(folder, "double", "hidden", "test_hidden.py"), "import main\n");
  expect(await loadTasks(folder, { signal })).toMatchObject([
    { id: "double", prompt: "Write `main.py`.", grader: { command: { program: "python", args: ["test_hidden.py"] }, seconds: 30 } },
  ]);
});

test("loadTasks() reports an interrupted read as cancelled", async () => {
  await writeFile(join(folder, "set.jsonl"), '{"id":"a","prompt":"x"}');
  await expect(loadTasks(join(folder, "set.jsonl"), { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" });
});
