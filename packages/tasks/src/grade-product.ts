import { randomUUID } from "node:crypto";
import {
  type Artifact,
  entryOf,
  type FileEntry,
  type Grader,
  type Sandbox,
  type SandboxResult,
  sortFiles,
  type Task,
  TroupeError,
} from "@troupe/schema";
import { asFiles } from "./as-files.ts";
import { findWords } from "./find-words.ts";
import { lastWords } from "./last-words.ts";
import { proveEnd } from "./prove-end.ts";
import { sameAnswer } from "./same-answer.ts";
import { unfit } from "./unfit.ts";

/** What {@link gradeProduct} needs. */
export interface GradeOptions {
  /** Where hidden tests and product run. */
  readonly sandbox: Sandbox;
  readonly signal: AbortSignal;
  /** Makes a name that a product can't guess; default: a random UUID. */
  readonly nonce?: () => string;
}

/** Whether a product is what the task asked for. */
export interface Grade {
  readonly passed: boolean;
  /** One line for people. */
  readonly reason: string;
  /** Of a task that asks for words: how much of them the product uses, from 0 to 1. */
  readonly share?: number;
  /** What the hidden tests did, when they ran. */
  readonly result?: SandboxResult;
}

/** The part of a task that grading looks at. */
export type GradedTask = Pick<Task, "id" | "entry" | "language" | "files" | "choices" | "grader">;

/**
 * Grades a product by the task's hidden tests, its answer, or the words that it must use.
 *
 * Hidden tests run in the sandbox on the given files, the product's files over them, and the tests over those. Passed means that the
 * command exited with 0 *and* that the test came to its end (see {@link proveEnd}), so that a product that exits early does not pass.
 *
 * @throws TroupeError `call_invalid` when the task has no grader; `sandbox_unavailable` when the tests need more than the sandbox can; `cancelled`;
 *   `sandbox_failed` from the sandbox.
 */
export async function gradeProduct(task: GradedTask, product: Artifact, options: GradeOptions): Promise<Grade> {
  const { grader } = task;
  if (options.signal.aborted) throw interrupted();
  if (!grader) throw new TroupeError("call_invalid", `The task ${task.id} has no grader, so no product of it can be graded.`);
  switch (grader.kind) {
    case "answer":
      return gradeAnswer(product, grader.answer, task.choices);
    case "words":
      return gradeWords(product, grader.words);
    case "tests": {
      const files = asFiles(product, task);
      if (!files) return { passed: false, reason: `The product is ${product.kind}, not a program.` };
      const entry = entryOf(task);
      if (!files.some((file) => file.path === entry)) return { passed: false, reason: `The product has no ${entry}.` };
      return runTests(grader, [...task.files, ...files], options);
    }
  }
}

type TestGrader = Extract<Grader, { kind: "tests" }>;

async function runTests(grader: TestGrader, files: readonly FileEntry[], options: GradeOptions): Promise<Grade> {
  const { sandbox, signal, nonce = randomUUID } = options;
  checkSandbox(grader, sandbox);
  const proof = `proof-${nonce()}`;
  const proved = await proveEnd(grader.command, proof, signal);
  const job = {
    files: sortFiles([...files, ...grader.files, proved.file]),
    command: proved.command,
    stdin: proved.stdin,
    limits: { seconds: grader.seconds, cpuSeconds: Math.ceil(grader.seconds) },
  };
  const result = await sandbox.run(job, signal).catch(unfit);
  if ("unfit" in result) return { passed: false, reason: result.unfit };
  if (result.ended === "cancelled") throw interrupted();
  const reason = whyFailed(result, grader.seconds, proof);
  return reason === undefined ? { passed: true, reason: "All hidden tests passed.", result } : { passed: false, reason, result };
}

/** A product must not fail because the sandbox can't do what the test needs. */
function checkSandbox({ command, files }: TestGrader, { name, strength }: Sandbox): void {
  const startsProcesses = command.program === "node" && files.some((file) => file.content.includes("child_process"));
  if (strength !== "wasm" || !startsProcesses) return;
  const what = `The hidden tests start programs of Node, which the sandbox "${name}" can't.`;
  throw new TroupeError("sandbox_unavailable", `${what} Install an OS sandbox; \`troupe doctor\` says how.`);
}

function interrupted(): TroupeError {
  return new TroupeError("cancelled", "Grading was interrupted.");
}

function whyFailed(result: SandboxResult, seconds: number, proof: string): string | undefined {
  if (result.ended === "timeout") return `The hidden tests took longer than ${seconds} s.`;
  if (result.ended === "memory") return "The hidden tests ran out of memory.";
  if (result.ended !== "exited") return "The hidden tests were killed at a limit of the sandbox.";
  if (result.exitCode !== 0) return `A hidden test failed: ${lastWords(result)}`;
  if (!result.files.some((file) => file.path === proof)) return "The product ended the hidden tests before their end.";
  return undefined;
}

function gradeAnswer(product: Artifact, answer: string, choices: readonly string[] | undefined): Grade {
  const given = answerOf(product);
  if (given === undefined) return { passed: false, reason: `The product is ${product.kind}, not an answer.` };
  const passed = sameAnswer(given, answer, choices);
  return { passed, reason: passed ? "The answer is right." : `The answer is wrong: ${JSON.stringify(given.trim().slice(-80))}.` };
}

function gradeWords(product: Artifact, words: readonly string[]): Grade {
  const text = answerOf(product);
  if (text === undefined) return { passed: false, reason: `The product is ${product.kind}, not a text.`, share: 0 };
  const { found, missing } = findWords(text, words);
  if (missing.length === 0) return { passed: true, reason: `All ${words.length} words occur.`, share: 1 };
  const reason = `${found.length} of ${words.length} words occur; missing: ${listed(missing)}.`;
  return { passed: false, reason, share: found.length / words.length };
}

const mostListed = 8;

function listed(words: readonly string[]): string {
  const more = words.length > mostListed ? ` and ${words.length - mostListed} more` : "";
  return `${words.slice(0, mostListed).join(", ")}${more}`;
}

function answerOf(product: Artifact): string | undefined {
  switch (product.kind) {
    case "text":
      return product.text;
    case "choice":
      return product.choice;
    case "json":
      return typeof product.value === "string" ? product.value : JSON.stringify(product.value);
    case "files":
      return undefined;
  }
}
