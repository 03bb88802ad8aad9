import { fileURLToPath } from "node:url";
import { createSandbox } from "@troupe/sandbox";
import { entryOf, type FileEntry, type Grader, type Sandbox } from "@troupe/schema";
import { builtinSets, gradeProduct } from "@troupe/tasks";
import { readTaskFolders } from "@troupe/tasks/task-folder";
import { beforeAll, describe, expect, test } from "vitest";

const { signal } = new AbortController();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox("auto", { signal });
});

const sets = builtinSets.map(({ name }) => fileURLToPath(new URL(`../../packages/tasks/sets/${name}`, import.meta.url)));
const folders = (await Promise.all(sets.map((set) => readTaskFolders(set, signal)))).flat();

describe.each(folders.map((folder) => [folder.task.id, folder] as const))("the hidden tests of %s", (_id, { task, reference, wrong }) => {
  const grade = (files: readonly FileEntry[]) => gradeProduct(task, { kind: "files", files: [...files] }, { sandbox, signal });

  test("pass the reference", async () => {
    const { passed, result } = await grade(reference);
    expect(passed, result?.stderr).toBe(true);
  });

  test.each(wrong.map(({ name, files }) => [name, files] as const))("fail the wrong solution %s by an assertion", async (_name, files) => {
    expect(await grade(files)).toMatchObject({
      passed: false,
      reason: expect.stringMatching(/^A hidden test failed: .*(Error|Exception)/),
    });
  });

  test("fail an empty product, an empty entry file and the given files alone", async () => {
    const empty: FileEntry = { path: entryOf(task), encoding: "utf8", content: "" };
    for (const files of [[], [empty], task.files]) expect(await grade(files)).toMatchObject({ passed: false });
  });

  test("and the visible tests pass the reference", async () => {
    const program = task.language === "python" ? "python" : "node";
    for (const { path } of task.tests) {
      const grader: Grader = { kind: "tests", files: task.tests, command: { program, args: [path] }, seconds: 60 };
      const { passed, result } = await gradeProduct({ ...task, grader }, { kind: "files", files: [...reference] }, { sandbox, signal });
      expect(passed, result?.stderr).toBe(true);
    }
  });
});
