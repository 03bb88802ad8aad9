import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createSandbox } from "@troupe/sandbox";
import { type Artifact, entryOf, type Sandbox, type Task } from "@troupe/schema";
import { gradeProduct, loadTasks } from "@troupe/tasks";
import { beforeAll, describe, expect, test } from "vitest";

// The sets are published elsewhere and not part of the project; beside the project they are found.
const data = (name: string) => fileURLToPath(new URL(`../../../shared/data/${name}`, import.meta.url));
const humanEval = data("humaneval.jsonl");
const mbpp = data("mbpp-dev.jsonl");
const mmluPro = data("mmlu-pro-1400.jsonl");
const mmluProValidation = data("mmlu-pro-validation.jsonl");
const gsmHard = data("gsm-hard.jsonl");
const commonGenHard = data("commongen-hard.jsonl");
const srdd = data("srdd.csv");
const { signal } = new AbortController();

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox("auto", { signal });
});

async function readLines(path: string): Promise<Record<string, string>[]> {
  const text = await readFile(path, "utf8");
  return text.split("\n").flatMap((line) => (line ? [JSON.parse(line) as Record<string, string>] : []));
}

async function passes(task: Task, content: string): Promise<boolean> {
  const files = [{ path: entryOf(task), encoding: "utf8" as const, content }];
  return (await gradeProduct(task, { kind: "files", files }, { sandbox, signal })).passed;
}

/** Ids of the tasks whose solution does not pass, two at a time. */
async function failures(tasks: readonly Task[], solutions: readonly string[]): Promise<string[]> {
  const failed: string[] = [];
  const queue = tasks.map((task, index) => ({ task, solution: solutions[index] ?? "" }))[Symbol.iterator]();
  const work = async () => {
    for (const { task, solution } of queue) if (!(await passes(task, solution))) failed.push(task.id);
  };
  await Promise.all([work(), work()]);
  return failed;
}

describe.skipIf(!existsSync(humanEval))("HumanEval as published", () => {
  test("passes all 164 canonical solutions and no function that only returns None", async () => {
    const tasks = await loadTasks(humanEval, { signal });
    const lines = await readLines(humanEval);
    expect(tasks).toHaveLength(164);
    expect(
      await failures(
        tasks,
        lines.map((line) => `${line["prompt"]}${line["canonical_solution"]}`),
      ),
    ).toEqual([]);
    expect(
      await failures(
        tasks,
        lines.map((line) => `${line["prompt"]}    return None\n`),
      ),
    ).toHaveLength(164);
  });

  test("needs no import of the prompt in the answer, and runs nothing behind __main__", async () => {
    const [task] = await loadTasks(humanEval, { signal, limit: 1 });
    const [line] = await readLines(humanEval);
    const solution = `${line?.["prompt"]}${line?.["canonical_solution"]}`.replace("from typing import List", "");
    expect(task && (await passes(task, `${solution}\nif __name__ == "__main__":\n    input()\n`))).toBe(true);
  });
});

describe.skipIf(!existsSync(mbpp))("MBPP as published", () => {
  test("passes the published solutions of a sample, and no empty file", async () => {
    const everyTenth = (_: unknown, index: number) => index % 10 === 0;
    const tasks = (await loadTasks(mbpp, { signal })).filter(everyTenth);
    const solutions = (await readLines(mbpp)).filter(everyTenth).map((line) => line["code"] ?? "");
    expect(await failures(tasks, solutions)).toEqual([]);
    expect(
      await failures(
        tasks,
        solutions.map(() => ""),
      ),
    ).toHaveLength(tasks.length);
  });
});

const gradeAs = async (task: Task, product: Artifact) => (await gradeProduct(task, product, { sandbox, signal })).passed;

/** A set without an id that is used twice, or a task that shows its answer's letter. */
async function loadWhole(path: string, length: number): Promise<Task[]> {
  const tasks = await loadTasks(path, { signal });
  expect(tasks).toHaveLength(length);
  expect(new Set(tasks.map(({ id }) => id)).size).toBe(length);
  return tasks;
}

describe.skipIf(!existsSync(mmluPro))("MMLU-Pro as published", () => {
  test.each([
    [mmluPro, 1400],
    [mmluProValidation, 70],
  ])("passes the right option of every question and no other one: %s", async (path, length) => {
    for (const task of await loadWhole(path, length)) {
      const right: string[] = [];
      for (const choice of task.choices ?? []) if (await gradeAs(task, { kind: "choice", choice })) right.push(choice);
      expect(right, task.id).toEqual([task.grader?.kind === "answer" ? task.grader.answer : undefined]);
    }
  });
});

describe.skipIf(!existsSync(gsmHard))("GSM-Hard as published", () => {
  test("passes every right number, also with separators of thousands, and none that is off by one", async () => {
    const lines = await readLines(gsmHard);
    for (const [index, task] of (await loadWhole(gsmHard, 1319)).entries()) {
      const answer = Number(lines[index]?.["answer"]);
      const text = (number: number): Artifact => ({
        kind: "text",
        text: `So:\nAnswer: ${number.toLocaleString("en-US", { maximumFractionDigits: 20 })}`,
      });
      expect([await gradeAs(task, text(answer)), task.id]).toEqual([true, task.id]);
      if (Math.abs(answer) < 1e8) expect([await gradeAs(task, text(answer + 1)), task.id]).toEqual([false, task.id]);
    }
  });
});

describe.skipIf(!existsSync(commonGenHard))("CommonGen-Hard as published", () => {
  test("passes a text of all words, and tells the share of one that lacks some", async () => {
    for (const task of await loadWhole(commonGenHard, 200)) {
      const words = task.grader?.kind === "words" ? task.grader.words : [];
      expect(await gradeAs(task, { kind: "text", text: words.join(" ") }), task.id).toBe(true);
      const half = words.slice(0, Math.floor(words.length / 2));
      const { passed, share = 1 } = await gradeProduct(task, { kind: "text", text: half.join(" ") }, { sandbox, signal });
      expect([passed, share >= half.length / words.length, share < 0.8]).toEqual([false, true, true]);
    }
  });
});

describe.skipIf(!existsSync(srdd))("SRDD as published", () => {
  test("has 1,200 requests for software, none of them graded", async () => {
    const tasks = await loadWhole(srdd, 1200);
    expect(tasks.filter(({ grader }) => grader !== undefined)).toEqual([]);
    expect(tasks.every(({ output, prompt }) => output === "files" && prompt.length > 20)).toBe(true);
    expect(new Set(tasks.map(({ tags }) => tags.at(-1))).size).toBe(40);
  });
});
