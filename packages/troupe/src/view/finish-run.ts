import { resolve } from "node:path";
import { type Ports, writeProduct, writtenFiles } from "@troupe/runtime";
import type { FileEntry, PublicTask, Task } from "@troupe/schema";
import type { TroupeContext } from "../context.ts";
import { exitCodeOfOutcome, exitCodes } from "../exit-code.ts";
import { colorsOf } from "./colors.ts";
import type { CallWords } from "./describe-outcome.ts";
import { runReport, type WrittenProduct } from "./run-report.ts";
import { jsonLine } from "./terminal-text.ts";
import { type Trial, tryProduct } from "./try-product.ts";
import type { WatchedRun } from "./watch-run.ts";

/** Everything that the end of a run needs. */
export interface FinishedRun extends WatchedRun {
  readonly context: TroupeContext;
  readonly ports: Ports;
  readonly task: Task | PublicTask;
  /** Folder for the product, relative to the working folder. */
  readonly out: string;
  readonly json: boolean;
  readonly words: CallWords;
}

/** Writes the product, tries it out, says what came of the run and what can be done next, and sets the exit code. */
export async function finishRun(finished: FinishedRun): Promise<void> {
  const { context, ports, result, state, task, out, json, words } = finished;
  const { stderr, stdout, env } = context.process;
  context.exit = exitCodeOfOutcome(result.outcome.kind);
  const product = await writeFiles(finished);
  const trial = product === undefined ? nothingTried : await tryOut(finished, product);
  const colors = colorsOf(stderr, env);
  const report = runReport({ result, state, task, product, trial, sandbox: ports.sandbox, words }, colors);
  stderr.write(`${report.join("\n")}\n`);
  if (json) stdout.write(jsonLine(productLine(finished, product, trial)));
  else if (product !== undefined) stdout.write(`${out}\n`);
}

const nothingTried: Trial = { check: undefined, grade: undefined };

async function writeFiles({ context, result: { artifact }, out }: FinishedRun): Promise<WrittenProduct | undefined> {
  if (artifact === undefined) return undefined;
  await writeProduct(artifact, resolve(context.cwd, out));
  return { artifact, folder: out, files: writtenFiles(artifact).map(sizeOf) };
}

/** An interruption of the trial leaves the product as it is. */
async function tryOut({ context, ports, task }: FinishedRun, { artifact }: WrittenProduct): Promise<Trial> {
  try {
    return await tryProduct(artifact, task, context, ports);
  } catch (error) {
    if (!context.signal.aborted) throw error;
    context.exit = exitCodes.interrupted;
    return nothingTried;
  }
}

function productLine({ result, ports }: FinishedRun, product: WrittenProduct | undefined, { check, grade }: Trial) {
  const { run, outcome, usage, seconds } = result;
  return {
    kind: "product",
    run,
    outcome: outcome.kind,
    folder: product?.folder ?? null,
    files: product?.files ?? [],
    check: check === undefined ? null : { program: check.program ?? null, tests: check.tests ?? null },
    grade: grade === undefined ? null : { passed: grade.passed, share: grade.share, reason: grade.reason },
    sandbox: { name: ports.sandbox.name, strength: ports.sandbox.strength },
    usage,
    seconds,
  };
}

function sizeOf({ path, content, encoding }: FileEntry): { path: string; bytes: number } {
  return { path, bytes: Buffer.byteLength(content, encoding) };
}
