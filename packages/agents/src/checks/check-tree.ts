import {
  type Command,
  entryOf,
  type FileEntry,
  findPlaceholders,
  lackedInput,
  type PublicTask,
  type SandboxResult,
  showsCrash,
  sortFiles,
} from "@troupe/schema";
import { isTestPath } from "../answer/files-question.ts";
import { isModule } from "../prompts/answer-format.ts";
import type { Bench, Work } from "../work.ts";
import { exampleTests } from "./example-tests.ts";
import { harnessPath, pythonHarness } from "./python-harness.ts";
import { runInSandbox, type TrialResult } from "./run-in-sandbox.ts";

/** What trying a tree out showed. */
export interface Check {
  readonly ok: boolean;
  /** To compare trees: 0 it does not even start; 0.5 it starts, but code is missing; 1 it starts; up to 2 by the share of tests that pass. */
  readonly score: number;
  /** What was run and what it printed, for a prompt. */
  readonly text: string;
}

/** Whether tests were run and every one passed. */
export function passesTests(check: Check | undefined): boolean {
  return check?.score === 2;
}

/** Runs what the card's tools allow: the program, then its tests. Undefined when there is nothing that can be run. */
export async function checkTree(work: Work, tree: readonly FileEntry[]): Promise<Check | undefined> {
  const { tools } = work.card;
  const program = tools.includes("run_program") ? await runProgram(work, tree) : undefined;
  if (program !== undefined && !program.ok) return program;
  const open = tools.includes("run_program") ? findPlaceholders(tree) : [];
  if (open.length > 0) return { ok: false, score: 0.5, text: `It is not finished. Code is still missing at:\n${open.join("\n")}` };
  const tests = tools.includes("run_tests") ? await runTests(work, tree) : undefined;
  return tests ?? program;
}

/** Starts a program without arguments, or imports a module; undefined when the tree has no entry. */
export async function runProgram(work: Bench, tree: readonly FileEntry[]): Promise<Check | undefined> {
  const { task } = work.context;
  const entry = entryOf(task);
  if (!tree.some((file) => file.path === entry)) return undefined;
  const onlyImports = isModule(task) && task.language === "python";
  const command: Command = onlyImports ? { program: "python", args: [harnessPath, "import", entry] } : commandFor(work, entry);
  const title = onlyImports ? `import ${entry}` : `${command.program} ${entry}`;
  const trial = await runInSandbox(work, {
    tool: "run_program",
    files: layOut(work, tree, onlyImports),
    command,
    title,
    judge: (result) => isHealthy(result, onlyImports),
  });
  return toCheck(title, trial, trial.ok ? 1 : 0);
}

/** Runs the task's tests and the calls that its text shows, or else the tests of the tree; undefined when there are none. */
export async function runTests(work: Bench, tree: readonly FileEntry[]): Promise<Check | undefined> {
  const { task } = work.context;
  const examples = exampleTests(task);
  const paths = [...testPaths(task, tree), ...(examples === undefined ? [] : [examples.path])];
  if (paths.length === 0) return undefined;
  const laid = layOut(work, tree, task.language === "python");
  const files = examples === undefined ? laid : sortFiles([...laid, examples]);
  const results: Check[] = [];
  for (const batch of task.language === "python" ? [paths] : paths.map((path) => [path])) {
    const command: Command =
      task.language === "python" ? { program: "python", args: [harnessPath, "tests", ...batch] } : commandFor(work, batch[0] ?? "");
    const title = `${task.language === "python" ? "the tests in" : "node"} ${batch.join(" ")}`;
    const trial = await runInSandbox(work, {
      tool: "run_tests",
      files,
      command,
      title,
      judge: (result) => result.ended === "exited" && result.exitCode === 0,
    });
    results.push(toCheck(title, trial, 1 + (trial.ok ? 1 : passedShare(trial.result))));
  }
  const score = results.reduce((sum, check) => sum + check.score, 0) / results.length;
  const shown = results.filter((check) => !check.ok);
  return { ok: shown.length === 0, score, text: (shown.length > 0 ? shown : results).map((check) => check.text).join("\n\n") };
}

/** The test files of a task, or else those of a tree. */
function testPaths({ language, tests }: PublicTask, tree: readonly FileEntry[]): string[] {
  const ending = language === "python" ? /\.py$/ : /\.[cm]?[jt]s$/;
  const of = (files: readonly FileEntry[]) => files.map(({ path }) => path).filter((path) => isTestPath(path) && ending.test(path));
  const given = of(tests);
  return given.length > 0 ? given : of(tree);
}

/** The call that starts a file of the task's language. */
export function commandFor({ context }: Pick<Bench, "context">, path: string, args: readonly string[] = []): Command {
  return { program: context.task.language === "python" ? "python" : "node", args: [path, ...args] };
}

/** The files of a run: the tree with the task's tests over it, and the harness when it is needed. */
export function layOut({ context }: Pick<Bench, "context">, tree: readonly FileEntry[], harness: boolean): FileEntry[] {
  return sortFiles([...context.task.files, ...tree, ...context.task.tests, ...(harness ? [pythonHarness] : [])]);
}

/**
 * Whether a program started well without arguments. Asking for arguments, or for input that is not there, is no defect;
 * a traceback or a program that does not end is one.
 */
export function isHealthy(result: SandboxResult, mustEndWithZero = false): boolean {
  if (result.ended !== "exited") return false;
  if (result.exitCode === 0) return true;
  if (mustEndWithZero) return false;
  const output = `${result.stdout}\n${result.stderr}`;
  return !showsCrash(output) || lackedInput(output);
}

function passedShare(result: SandboxResult): number {
  const python = /Ran (\d+) tests: (\d+) passed/.exec(result.stdout);
  const passed = python?.[2] ?? /^(?:#|ℹ) pass (\d+)/m.exec(result.stdout)?.[1] ?? "0";
  const failed = /^(?:#|ℹ) fail (\d+)/m.exec(result.stdout)?.[1] ?? "0";
  const total = python?.[1] === undefined ? Number(passed) + Number(failed) : Number(python[1]);
  return total === 0 ? 0 : Math.min(0.99, Number(passed) / total);
}

function toCheck(title: string, trial: TrialResult, score: number): Check {
  return { ok: trial.ok, score, text: `$ ${title}\n${trial.text}` };
}
