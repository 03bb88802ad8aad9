import { run } from "@stricli/core";
import { app } from "./app.ts";
import { createMessages, type TroupeContext } from "./context.ts";
import { exitCodeOfParser, exitCodes } from "./exit-code.ts";
import { interruption } from "./interruption.ts";

const signals = { SIGINT: "Ctrl-C", SIGTERM: "SIGTERM", SIGHUP: "the end of the terminal" } as const;

/** Runs the command with the words, streams and signals of a process. */
export async function main(process: NodeJS.Process): Promise<void> {
  const controller = new AbortController();
  const streams: TroupeContext["process"] = {
    stdout: process.stdout,
    stderr: process.stderr,
    get stdin() {
      return process.stdin;
    },
    env: process.env,
  };
  const messages = createMessages(process.stderr);
  const lastWords = new Set<() => void>();
  const context: TroupeContext = { process: streams, cwd: process.cwd(), signal: controller.signal, messages, lastWords, exit: undefined };
  const interrupt = (name: NodeJS.Signals) => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    controller.abort(interruption(name in signals ? signals[name as keyof typeof signals] : name));
    messages.show("Stopping; what is finished is kept. Press Ctrl-C once more to leave at once.");
  };
  const leave = () => {
    for (const word of lastWords) word();
  };
  const isLost = watchOutput(process, () => controller.abort(interruption("the end of its reader")));
  const names = Object.keys(signals) as (keyof typeof signals)[];
  for (const name of names) process.on(name, interrupt);
  process.on("exit", leave);
  await run(app, process.argv.slice(2), context);
  // What was thrown after the run has ended is the last word.
  process.exitCode = exitCodeOfParser(streams.exitCode) || (context.exit ?? exitCodes.done);
  // A standard output that has lost its reader keeps the process alive.
  if (isLost()) process.exit();
  for (const name of names) process.off(name, interrupt);
  process.off("exit", leave);
}

/** Calls `lost` when nobody reads standard output any more; then the work ends, and nothing is said about it. */
function watchOutput({ stdout, stderr }: NodeJS.Process, lost: () => void): () => boolean {
  let isLost = false;
  stdout.on("error", () => {
    isLost = true;
    lost();
  });
  stderr.on("error", () => undefined);
  return () => isLost;
}
