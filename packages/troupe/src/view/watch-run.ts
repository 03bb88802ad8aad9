import { createRunState } from "@troupe/engine";
import type { TroupeResult, TroupeRun } from "@troupe/runtime";
import type { TroupeContext } from "../context.ts";
import { createJsonWatcher } from "./json-watcher.ts";
import { createLiveWatcher } from "./live-watcher.ts";
import { createPlainWatcher } from "./plain-watcher.ts";
import type { Watcher } from "./watcher.ts";

/** Shows a run while it goes on: JSON lines, a live tree on a terminal, plain lines elsewhere. */
export async function watchRun(run: TroupeRun, context: TroupeContext, json: boolean): Promise<TroupeResult> {
  const watcher = createWatcher(context, json);
  const state = createRunState();
  try {
    for await (const event of run) {
      if (event.kind !== "call.delta") state.apply(event);
      watcher.see(event, state);
    }
  } finally {
    watcher.end();
  }
  return run.result;
}

function createWatcher(context: TroupeContext, json: boolean): Watcher {
  const { stdout, stderr, env } = context.process;
  if (json) return createJsonWatcher(stdout);
  const live = stderr.isTTY === true && env["TERM"] !== "dumb" && env["CI"] === undefined;
  return live ? createLiveWatcher(stderr) : createPlainWatcher(stderr);
}
