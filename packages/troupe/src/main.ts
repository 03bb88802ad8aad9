import { run } from "@stricli/core";
import { app } from "./app.ts";
import { createMessages, type TroupeContext } from "./context.ts";
import { exitCodeOfParser, exitCodes } from "./exit-code.ts";
import { interruption } from "./interruption.ts";

const signals = { SIGINT: "Ctrl-C", SIGTERM: "SIGTERM", SIGHUP: "the end of the terminal" } as const;

/** Runs the command with the words, streams and signals of a process. */
export async function main(process: NodeJS.Process): Promise<void> {
  const controller = new AbortController();
  const streams: TroupeContext["process"] = { stdout: process.stdout, stderr: process.stderr, env: process.env };
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
  const names = Object.keys(signals) as (keyof typeof signals)[];
  for (const name of names) process.on(name, interrupt);
  process.on("exit", leave);
  // Nobody reads the result any more: the work ends, and nothing more is said.
  process.stdout.on("error", () => controller.abort(interruption("the reader of the output")));
  process.stderr.on("error", () => undefined);
  await run(app, process.argv.slice(2), context);
  leave();
  process.exitCode = context.exit ?? exitCodeOfParser(streams.exitCode);
  for (const name of names) process.off(name, interrupt);
  process.off("exit", leave);
}
