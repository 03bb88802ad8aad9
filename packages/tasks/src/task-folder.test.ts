import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TroupeError } from "@troupe/schema";
import { afterEach, beforeEach, expect, test } from "vitest";
import { builtinSets } from "./builtin-sets.ts";
import { loadTasks } from "./load-tasks.ts";
import { readTaskFolders } from "./task-folder.ts";

const { signal } = new AbortController();
const head = "---\nlanguage: python\ntags: [easy]\ntest: test_hidden.py\n---\n";
let folder = "";

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "troupe-folders-"));
});
afterEach(() => rm(folder, { recursive: true }));

async function write(files: Record<string, string>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

test.each(builtinSets)(
  "readTaskFolders() gives what the shipped set $name holds (if not: npm run compile-sets -w packages/tasks)",
  async ({ name }) => {
    const folders = await readTaskFolders(fileURLToPath(new URL(`../sets/${name}`, import.meta.url)), signal);
    expect(folders.map(({ task }) => task)).toEqual(await loadTasks(name, { signal }));
    for (const { task, reference, wrong } of folders) {
      expect(reference.length, task.id).toBeGreaterThan(0);
      expect(wrong.length, task.id).toBeGreaterThanOrEqual(2);
    }
  },
);

test("readTaskFolders() reads the example calls of a head", async () => {
  const calls = 'calls:\n  - { args: ["5", km, mi] }\n  - { stdin: "x" }\n';
  await write({ "a/task.md": `${head.replace("tags:", `${calls}tags:`)}Convert.\n`, "a/hidden/test_hidden.py": "1" });
  const [read] = await readTaskFolders(folder, signal);
  expect(read?.task.calls).toEqual([
    { args: ["5", "km", "mi"], stdin: "" },
    { args: [], stdin: "x" },
  ]);
});

test("readTaskFolders() reads all parts of a task", async () => {
  await write({
    "sum/task.md": `${head}Add two numbers.\n`,
    "sum/given/data/a.txt": "1",
    "sum/tests/test_main.py": "visible",
    "sum/hidden/test_hidden.py": "from shared_part import x",
    "sum/reference/main.py": "right",
    "sum/reference/part.py": "part",
    "sum/wrong/off-by-one/main.py": "wrong",
    "_shared/shared_part.py": "x = 1",
    "_shared/other_part.py": "y = 1",
  });
  const [read] = await readTaskFolders(folder, signal);
  const grader = read?.task.grader;
  expect(read?.task).toMatchObject({
    id: "sum",
    prompt: "Add two numbers.",
    tags: ["easy"],
    files: [{ path: "data/a.txt", content: "1" }],
  });
  expect(read?.task.tests.map((file) => file.path)).toEqual(["test_main.py"]);
  expect(grader?.kind === "tests" && grader.files.map((file) => file.path)).toEqual(["shared_part.py", "test_hidden.py"]);
  expect(read?.wrong).toEqual([
    {
      name: "off-by-one",
      files: [
        { path: "main.py", encoding: "utf8", content: "wrong" },
        { path: "part.py", encoding: "utf8", content: "part" },
      ],
    },
  ]);
});

test("readTaskFolders() reports the problems of all its tasks", async () => {
  await write({
    "a/task.md": "no head",
    "b/task.md": "---\nlanguage: cobol\ntest: t\ncolour: red\n---\nx",
    "c/task.md": "---\ntest: [\n---\nx",
    "d/readme.txt": "",
    "e/task.md": `${head}\n`,
    "e/hidden/test_hidden.py": "",
    "f/task.md": `${head}x`,
  });
  const error = await readTaskFolders(folder, signal).catch((thrown: TroupeError) => thrown);
  expect(error).toMatchObject({ code: "task_set_invalid" });
  const files = (error as TroupeError).problems.map((problem) => problem.file.slice(folder.length + 1, folder.length + 2));
  expect(new Set(files)).toEqual(new Set(["a", "b", "c", "d", "e", "f"]));
});

test("readTaskFolders() keeps binary files whole", async () => {
  const bytes = Buffer.from([0, 255, 254, 10]);
  await write({ "a/task.md": `${head}x`, "a/hidden/test_hidden.py": "", "a/given/readme.txt": "é" });
  await writeFile(join(folder, "a/given/image.bin"), bytes);
  const [read] = await readTaskFolders(folder, signal);
  expect(read?.task.files).toEqual([
    { path: "image.bin", encoding: "base64", content: bytes.toString("base64") },
    { path: "readme.txt", encoding: "utf8", content: "é" },
  ]);
});

test("readTaskFolders() says when there is no task at all", async () => {
  for (const path of [folder, join(folder, "nowhere")]) {
    await expect(readTaskFolders(path, signal)).rejects.toMatchObject({ code: "file_missing" });
  }
});
