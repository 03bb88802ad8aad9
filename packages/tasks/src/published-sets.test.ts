import type { Artifact, Sandbox, TroupeError } from "@troupe/schema";
import { expect, test } from "vitest";
import { gradeProduct } from "./grade-product.ts";
import { parseTaskSet } from "./parse-task-set.ts";

const { signal } = new AbortController();
const sandbox: Sandbox = { name: "none", strength: "none", run: () => Promise.reject(new Error("nothing runs here")) };
const lines = (...values: unknown[]) => values.map((value) => JSON.stringify(value)).join("\n");
const parse = (text: string, file = "set.jsonl") => parseTaskSet(new TextEncoder().encode(text), file);

async function passes(text: string, product: Artifact): Promise<boolean> {
  const [task] = parse(text);
  return task !== undefined && (await gradeProduct(task, product, { sandbox, signal })).passed;
}

function problemsOf(text: string, file = "set.jsonl"): string[] {
  try {
    parse(text, file);
  } catch (error) {
    return (error as TroupeError).problems.map(
      ({ line, message, expected }) => `${line}: ${message}${expected === undefined ? "" : ` (${expected})`}`,
    );
  }
  return [];
}

const choice = { question: "Which is a bird?", options: ["a", "owl", "N/A", "eel"], answer: "B", category: "animal life" };

test("parseTaskSet() reads a question of MMLU-Pro as a choice, without the placeholders of options", async () => {
  const text = lines({ ...choice, question_id: 12 }, { ...choice, task_id: "mmlu-pro/7" }, choice);
  const tasks = parse(text);
  expect(tasks.map(({ id }) => id)).toEqual(["mmlu-pro/12", "mmlu-pro/7", "mmlu-pro/2"]);
  expect(tasks[0]).toMatchObject({
    prompt: "Which is a bird?",
    output: "choice",
    choices: ["a", "owl", "eel"],
    grader: { kind: "answer", answer: "owl" },
    tags: ["mmlu-pro", "choice", "animal-life"],
  });
  expect(await passes(text, { kind: "choice", choice: "owl" })).toBe(true);
  expect(await passes(text, { kind: "choice", choice: "eel" })).toBe(false);
});

test("parseTaskSet() reports answers of MMLU-Pro that are none of the options", () => {
  expect(
    problemsOf(lines(choice, { ...choice, question_id: 1, answer: "E" }, { ...choice, answer: "C" }, { ...choice, answer: "BAT" })),
  ).toEqual([
    '2: answer is "E", which is none of the 4 options.',
    '3: answer is "C", which is none of the 4 options.',
    '4: answer is "BAT", which is none of the 4 options.',
  ]);
});

test("parseTaskSet() reads GSM-Hard with the keys of either publication, and numbers are compared as numbers", async () => {
  const tasks = parse(lines({ task_id: "gsm-hard/4", question: "1,000 + 234.50?", answer: 1234.5 }, { question: "2?", answer: -2.0 }));
  expect(tasks).toMatchObject([
    { id: "gsm-hard/4", output: "text", grader: { kind: "answer", answer: "1234.5" } },
    { id: "gsm-hard/1", grader: { answer: "-2" } },
  ]);
  expect(tasks[0]?.prompt).toMatch(/in this form, where N is a plain number without a unit:\nAnswer: N$/);
  const first = lines({ input: "1,000 + 234.50?", code: "def solution(): …", target: 1234.5 });
  expect(parse(first)).toMatchObject([{ id: "gsm-hard/0", source: "GSM-Hard" }]);
  for (const answer of ["1,234.50", "$1234.5", "**1234.5**"])
    expect(await passes(first, { kind: "text", text: `So it is this.\nAnswer: ${answer}` }), answer).toBe(true);
  expect(await passes(first, { kind: "text", text: "1234.5 is my guess.\nAnswer: 1235" })).toBe(false);
});

test("parseTaskSet() reads CommonGen-Hard, and the share of its words is told", async () => {
  const text = lines({ concepts: ["dog", "catch", "frisbee", "dog"] });
  const [task] = parse(text);
  expect(task).toMatchObject({ id: "commongen-hard/0", output: "text", grader: { kind: "words", words: ["dog", "catch", "frisbee"] } });
  expect(task?.prompt).toContain("dog, catch, frisbee");
  const grade = (product: Artifact) => gradeProduct(task ?? expect.fail(), product, { sandbox, signal });
  expect(await grade({ kind: "text", text: "The dogs caught frisbees." })).toEqual({
    passed: true,
    reason: "All 3 words occur.",
    share: 1,
  });
  expect(await grade({ kind: "text", text: "A dog ran." })).toMatchObject({
    passed: false,
    reason: "1 of 3 words occur; missing: catch, frisbee.",
    share: expect.closeTo(1 / 3),
  });
  expect(await grade({ kind: "files", files: [] })).toMatchObject({ passed: false, share: 0 });
});

const header = "Name,Description,Category\n";
const csv = `${header}Snake,"Eat, and ""grow"".\nDon't bite.",Board_Game\r\n\nNotes,Keep notes.,Office\nSnake,Another snake.,Board_Game\n`;

test("parseTaskSet() reads SRDD from CSV as ungraded requests with ids of their own", () => {
  for (const file of ["srdd.csv", "srdd.txt"]) {
    const tasks = parse(`\uFEFF${csv}`, file);
    expect(tasks.map(({ id }) => id)).toEqual(["srdd/Board_Game/Snake", "srdd/Office/Notes", "srdd/Board_Game/Snake/2"]);
    expect(tasks[0]).toMatchObject({
      prompt: 'Eat, and "grow".\nDon\'t bite.',
      output: "files",
      tags: ["srdd", "program", "python", "board-game"],
    });
    expect(tasks[0]).not.toHaveProperty("grader");
  }
});

test("parseTaskSet() reports bad lines of CSV where they begin", () => {
  expect(problemsOf(`${header}A,"two\nlines",B\nC,D\n,x,y\n`, "a.csv")).toEqual([
    '4: The line has 2 fields, but the header has 3. (fields with a comma, a line end or a " in quotation marks, and "" for a " in them)',
    '5: Name is "". (text, not empty (Name of the software))',
  ]);
  expect(problemsOf(`${header},x,y\nA,"open,B\nC,D,E\n`, "a.csv")).toEqual([
    expect.stringMatching(/^2: Name is ""/),
    expect.stringMatching(/^3: A quotation mark is opened and never closed\. Nothing from here on was read/),
  ]);
  expect(problemsOf(`${header}A,a"b,C\nD,E\n`, "a.csv")).toEqual([expect.stringMatching(/^2: A quotation mark stands inside a field/)]);
  expect(problemsOf(`${header}A,"a"b,C\n`, "a.csv")).toEqual([expect.stringMatching(/^2: After a closing quotation mark/)]);
  expect(problemsOf(header, "a.csv")).toEqual(["1: The file has a header, but no line below it."]);
  expect(problemsOf("", "a.csv")).toEqual(["1: The file is empty."]);
});

test("parseTaskSet() says of an unknown format which ones are known", () => {
  const [problem, ...others] = problemsOf(lines({ puzzle: "x", level: 1 }, { puzzle: "y" }));
  expect(problem).toMatch(/^1: These keys are those of no format that is known: puzzle, level\. \(.*HumanEval \(task_id, .*SRDD \(Name, /);
  expect(others).toEqual([]);
});
