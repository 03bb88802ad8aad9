import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { createSandbox } from "@troupe/sandbox";
import { entryOf, type Sandbox, type Task } from "@troupe/schema";
import { gradeProduct, loadTasks } from "@troupe/tasks";
import { beforeAll, describe, expect, test } from "vitest";

// The sets are published elsewhere and not part of the project; beside the project they are found.
const data = (name: string) => fileURLToPath(new URL(`../../../shared/data/${name}`, import.meta.url));
const humanEval = data("humaneval.jsonl");
const mbpp = data("mbpp-dev.jsonl");
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
