import type { RunState } from "@troupe/engine";
import type { EventOf, WatchedEvent } from "@troupe/schema";
import type { OutputStream } from "../context.ts";
import type { Watcher } from "./watcher.ts";

/** Prints a line for everything that a person wants to know, for logs and pipes. */
export function createPlainWatcher(out: OutputStream): Watcher {
  return {
    see: (event, state) => {
      const line = describe(event, state);
      if (line !== undefined) out.write(`${line}\n`);
    },
    end: () => undefined,
  };
}

function describe(event: WatchedEvent, state: RunState): string | undefined {
  switch (event.kind) {
    case "run.started":
      return `run ${event.run}: ${event.topology}, seed ${event.seed}`;
    case "run.resumed":
      return "resumed";
    case "activation.began":
      return `▸ ${nameOf(event.activation, state)}${event.attempt > 1 ? ` (attempt ${event.attempt})` : ""}`;
    case "activation.retried":
      return `↻ ${nameOf(event.activation, state)}: ${event.error.message} Again in ${event.delaySeconds.toFixed(1)} s.`;
    case "activation.settled":
      return settledLine(event, state);
    case "tool.used":
      return `  ${event.ok ? "✓" : "✗"} ${nameOf(event.activation, state)}: ${event.tool} ${event.input.split("\n", 1)[0] ?? ""}`;
    case "run.ended":
      return `${event.outcome.kind} after ${event.seconds.toFixed(1)} s`;
    case "step":
    case "call.started":
    case "call.settled":
    case "call.delta":
    case "notice":
      return undefined;
  }
}

function settledLine(event: EventOf<"activation.settled">, state: RunState): string {
  const mark = event.state === "done" ? "✓" : "✗";
  const tokens = event.usage.inputTokens + event.usage.outputTokens;
  const why = event.error === undefined ? "" : `: ${event.error.message}`;
  return `${mark} ${nameOf(event.activation, state)} ${event.state} (${tokens} tokens, ${event.seconds.toFixed(1)} s)${why}`;
}

function nameOf(id: number, state: RunState): string {
  const activation = state.rows[id]?.activation;
  return `#${id} ${activation?.label ?? ""}${activation?.agent === undefined ? "" : ` ${activation.agent}`}`;
}
