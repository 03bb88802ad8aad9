import { expect, test } from "vitest";
import { asFiles } from "./as-files.ts";

const python = { language: "python" } as const;

test("asFiles() gives the files of a tree", () => {
  const files = [{ path: "a.py", encoding: "utf8", content: "x" } as const];
  expect(asFiles({ kind: "files", files }, python)).toEqual(files);
});

test("asFiles() takes the one fenced block of a text as the entry file", () => {
  const text = "Here it is:\n```python\nprint(1)\n```\nThat is all.";
  expect(asFiles({ kind: "text", text }, python)).toEqual([{ path: "main.py", encoding: "utf8", content: "print(1)\n" }]);
  expect(asFiles({ kind: "text", text }, { ...python, entry: "solution.py" })?.[0]?.path).toBe("solution.py");
});

test("asFiles() gives nothing for what is no program", () => {
  expect(asFiles({ kind: "text", text: "I can't do that." }, python)).toBeUndefined();
  expect(asFiles({ kind: "text", text: "```\na\n```\nor\n```\nb\n```" }, python)).toBeUndefined();
  expect(asFiles({ kind: "choice", choice: "A" }, python)).toBeUndefined();
  expect(asFiles({ kind: "json", value: 1 }, python)).toBeUndefined();
});
