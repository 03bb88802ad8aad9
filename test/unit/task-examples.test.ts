import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { checkProduct } from "@troupe/agents";
import { createSandbox } from "@troupe/sandbox";
import { publicTask } from "@troupe/schema";
import { expect, it } from "vitest";

const { signal } = new AbortController();
const folder = fileURLToPath(new URL("../../packages/tasks/sets/programs/", import.meta.url));

it.each(["todo-list", "unit-converter"])("checkProduct() calls a program as the text of %s shows", async (name) => {
  const sandbox = await createSandbox("auto", { signal });
  const task = publicTask.parse({ id: name, prompt: await readFile(`${folder}${name}/task.md`, "utf8") });
  const check = async (content: string) =>
    (await checkProduct([{ path: "main.py", encoding: "utf8", content }], { task, sandbox, signal })).tests;
  const reference = await readFile(`${folder}${name}/reference/main.py`, "utf8");
  expect(await check(reference)).toMatchObject({ ok: true, score: 2 });
  const wrong = await check("import sys\nprint('nothing')\n");
  expect(wrong?.ok).toBe(false);
  expect(wrong?.text).toContain("Called: python main.py");
});
