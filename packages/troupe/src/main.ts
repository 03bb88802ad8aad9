import { run } from "@stricli/core";
import { app } from "./app.ts";
import type { TroupeContext } from "./context.ts";
import { exitCodeOfParser, exitCodes } from "./exit-code.ts";

/** Runs the command with the words, streams and signals of a process. */
export async function main(process: NodeJS.Process): Promise<void> {
  const controller = new AbortController();
  const interrupt = () => {
    if (controller.signal.aborted) process.exit(exitCodes.interrupted);
    process.stderr.write("\nStopping; what is finished is kept. Once more to leave at once.\n");
    controller.abort(new Error("interrupted"));
  };
  process.on("SIGINT", interrupt);
  process.on("SIGTERM", interrupt);
  const streams: TroupeContext["process"] = { stdout: process.stdout, stderr: process.stderr, env: process.env };
  const context: TroupeContext = { process: streams, cwd: process.cwd(), signal: controller.signal, exit: undefined };
  await run(app, process.argv.slice(2), context);
  process.exitCode = context.exit ?? exitCodeOfParser(streams.exitCode);
  process.off("SIGINT", interrupt);
  process.off("SIGTERM", interrupt);
}
