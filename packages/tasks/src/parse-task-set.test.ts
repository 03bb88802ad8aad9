import { isTroupeError, type TroupeError } from "@troupe/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseTaskSet } from "./parse-task-set.ts";
import { maxLineBytes } from "./set-lines.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const lines = (...values: unknown[]) => encode(values.map((value) => JSON.stringify(value)).join("\n"));
const own = (id: string) => ({ id, prompt: "Write a program." });
const humanEval = { task_id: "HumanEval/0", prompt: "import math\n\ndef f(x):\n", entry_point: "f", test: "def check(candidate): pass" };
const mbpp = { task_id: 7, text: "Add.", test_list: ["assert add(1, 2) == 3", "assert add(0, 0) == 0"] };

function problemsOf(bytes: Uint8Array): string[] {
  try {
    parseTaskSet(bytes, "set.jsonl");
  } catch (error) {
    expect(isTroupeError(error, "task_set_invalid")).toBe(true);
    return (error as TroupeError).problems.map((problem) => `${problem.file}:${problem.line}: ${problem.message}`);
  }
  return [];
}

test("parseTaskSet() reads our own format and fills in defaults", () => {
  const [first, second] = parseTaskSet(lines(own("a"), { ...own("b"), language: "javascript", tags: ["x"] }), "set.jsonl");
  expect(first).toMatchObject({ id: "a", output: "files", language: "python", files: [], tests: [], tags: [] });
  expect(second).toMatchObject({ id: "b", language: "javascript", tags: ["x"] });
});

test("parseTaskSet() tolerates blank lines, CRLF and a byte order mark", () => {
  const text = `\uFEFF${JSON.stringify(own("a"))}\r\n\r\n  \n${JSON.stringify(own("b"))}\r\n`;
  expect(parseTaskSet(encode(text), "set.jsonl").map((task) => task.id)).toEqual(["a", "b"]);
});

test("parseTaskSet() tells HumanEval and MBPP by their keys", () => {
  expect(parseTaskSet(lines(humanEval), "h.jsonl")).toMatchObject([{ id: "HumanEval/0", entry: "solution.py", source: "HumanEval" }]);
  expect(parseTaskSet(lines(mbpp), "m.jsonl")).toMatchObject([{ id: "mbpp/7", entry: "main.py", source: "MBPP" }]);
});

test("parseTaskSet() shows no test of HumanEval and only the first of MBPP", () => {
  const [fromHumanEval] = parseTaskSet(lines(humanEval), "h.jsonl");
  expect(fromHumanEval?.prompt).toContain("```python\nimport math\n\ndef f(x):\n```");
  expect(JSON.stringify([fromHumanEval?.prompt, fromHumanEval?.tests])).not.toContain("check");
  const [fromMbpp] = parseTaskSet(lines(mbpp), "m.jsonl");
  expect(fromMbpp?.prompt).toContain("assert add(1, 2) == 3");
  expect(JSON.stringify([fromMbpp?.prompt, fromMbpp?.tests])).not.toContain("add(0, 0)");
});

test("parseTaskSet() reports every bad line at once, in order", () => {
  const text = [JSON.stringify(own("a")), "{broken", "[]", JSON.stringify({ id: "b" }), JSON.stringify({ ...own("c"), colour: 1 })].join(
    "\n",
  );
  expect(problemsOf(encode(text))).toEqual([
    "set.jsonl:2: The line is not JSON: it can't be read near `{broken`.",
    "set.jsonl:3: The line is not a JSON object.",
    'set.jsonl:4: The key "prompt" is missing.',
    'set.jsonl:5: The key "colour" is not known.',
  ]);
});

test("parseTaskSet() says where a line is no JSON", () => {
  const long = JSON.stringify({ ...own("a"), tags: Array(50).fill("tag") });
  expect(problemsOf(encode(`${long.slice(0, -1)}, size: 1}\n${long.slice(0, -20)}\n?\u001b[31m\n`))).toEqual([
    expect.stringMatching(/^set\.jsonl:1: The line is not JSON: it can't be read near `.*size.*`\.$/),
    "set.jsonl:2: The line is not JSON: it ends too early.",
    "set.jsonl:3: The line is not JSON: it can't be read near `? [31m`.",
  ]);
});

test("parseTaskSet() reports an id that is used twice, with both lines", () => {
  expect(problemsOf(lines(own("a"), own("b"), own("a"), own("a")))).toEqual([
    'set.jsonl:3: The id "a" was used in line 1 already.',
    'set.jsonl:4: The id "a" was used in line 1 already.',
  ]);
});

test("parseTaskSet() refuses paths that leave the workspace", () => {
  const file = { path: "../up.py", content: "" };
  expect(problemsOf(lines({ ...own("a"), files: [file] }))).toEqual([
    "set.jsonl:1: files[0].path must be a relative path inside the workspace.",
  ]);
});

test("parseTaskSet() refuses an empty and a binary file", () => {
  expect(problemsOf(encode(""))).toEqual(["set.jsonl:1: The file is empty."]);
  expect(problemsOf(encode(" \n\n"))).toEqual(["set.jsonl:1: The file is empty."]);
  expect(problemsOf(new Uint8Array([0x50, 0x4b, 0, 1]))).toEqual([expect.stringContaining("binary")]);
  expect(problemsOf(new Uint8Array([0xff, 0xfe, 0x41]))).toEqual([expect.stringContaining("binary")]);
});

test("parseTaskSet() refuses a line that is too long without parsing it", () => {
  const long = encode(`${JSON.stringify(own("a"))}\n{"id":"b","prompt":"${"x".repeat(maxLineBytes)}"}`);
  expect(problemsOf(long)).toEqual(["set.jsonl:2: The line is longer than 4 MiB."]);
});

test("parseTaskSet() shows at most 20 problems in its message but keeps all", () => {
  const garbage = encode(Array.from({ length: 50 }, () => "?").join("\n"));
  expect(problemsOf(garbage)).toHaveLength(50);
  expect(() => parseTaskSet(garbage, "set.jsonl")).toThrow(/has 50 problems[\s\S]*and 30 more$/);
});

test("parseTaskSet() reads back what it was written from, and never fails with anything but its own error", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ minLength: 1, maxLength: 20 }), { minLength: 1 }), (ids) => {
      expect(parseTaskSet(lines(...ids.map(own)), "set.jsonl").map((task) => task.id)).toEqual(ids);
    }),
  );
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => void problemsOf(bytes)));
});
