import { task } from "@troupe/schema";
import { expect, test } from "vitest";
import { explainIssues } from "./explain-issues.ts";
import { mmluProLine } from "./mmlu-pro.ts";

function explain(value: unknown, schema: typeof task | typeof mmluProLine = task): string[] {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return explainIssues(issues, { value, schema }, "set.jsonl", 3).map(({ line, message, expected }) => `${line}: ${message} | ${expected}`);
}

const good = { id: "a", prompt: "x" };

test("explainIssues() names what is missing, unknown or of another kind, with what was expected", () => {
  expect(explain({ ...good, prompt: "", output: "picture", tags: "easy", seed: 1 })).toEqual([
    '3: prompt is "". | text, not empty (What is asked for)',
    '3: output is "picture". | one of "text", "files", "choice", "json" (Kind of product)',
    '3: tags is "easy". | a list (For filters, such as `function` or `program`)',
    expect.stringMatching(/^3: The key "seed" is not known\. \| one of "id", "prompt", "output"/),
  ]);
  expect(explain({})).toEqual([
    expect.stringMatching(/^3: The key "id" is missing/),
    expect.stringMatching(/^3: The key "prompt" is missing/),
  ]);
});

test("explainIssues() leads through lists and unions to the place", () => {
  expect(explain({ ...good, files: [{ path: "/a", content: 1, mode: 7 }] })).toEqual([
    "3: files[0].path must be a relative path inside the workspace. | undefined",
    "3: files[0].content is 1. | text (The file's content)",
    '3: The key "mode" in files[0] is not known. | one of "path", "encoding", "content"',
  ]);
  expect(explain({ ...good, grader: { kind: "tests", files: [], command: { program: "ruby", args: [] } } })).toEqual([
    '3: grader.command.program is "ruby". | one of "python", "node" (The interpreter)',
  ]);
  expect(explain({ ...good, grader: { kind: "magic" } })).toEqual(['3: grader.kind is "magic". | one of "tests", "answer", "words"']);
  expect(explain({ ...good, grader: { kind: "answer", words: [] } })).toEqual([
    expect.stringMatching(/^3: The key "answer" in grader is missing\. \| text/),
    '3: The key "words" in grader is not known. | one of "kind", "answer"',
  ]);
});

test("explainIssues() reads lines of published sets", () => {
  expect(explain({ question_id: true, question: "?", options: ["a"], answer: "A" }, mmluProLine)).toEqual([
    "3: question_id is true. | text, not empty, or a whole number (Number of the question)",
    "3: options is a list of 1. | a list of at least 2 (The options, A first)",
  ]);
});

test("explainIssues() shows nothing that a terminal obeys", () => {
  const [message = ""] = explain({ ...good, output: "\u001b[31m\u202e" });
  expect(message).not.toMatch(/[\u001b\u202e]/);
});
