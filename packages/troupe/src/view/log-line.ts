import type { RunEvent } from "@troupe/schema";
import { oneLine } from "./terminal-text.ts";
import { duration, tokensOf } from "./words.ts";

/** An event as one line: its number, seconds since the first one, kind, and what it says. */
export function logLine(event: RunEvent, startedAt: number): string {
  const seconds = ((event.at - startedAt) / 1000).toFixed(3);
  return `${String(event.seq).padStart(5)}  ${seconds.padStart(10)}  ${event.kind.padEnd(18)}  ${oneLine(detailOf(event)).slice(0, 400)}`;
}

function detailOf(event: RunEvent): string {
  switch (event.kind) {
    case "run.started":
      return `${event.topology}, seed ${event.seed}, limits ${JSON.stringify(event.limits)}: ${event.task.prompt}`;
    case "run.resumed":
      return [
        `limits ${JSON.stringify(event.limits)}`,
        ...(event.redo.length === 0 ? [] : [`again: ${event.redo.map((id) => `#${id}`).join(" ")}`]),
        ...(event.bundle === undefined ? [] : ["with a changed topology"]),
      ].join(", ");
    case "step": {
      const started = event.step.start.map(({ id, label, agent }) => `#${id} ${label}${agent === undefined ? "" : ` (${agent})`}`);
      const cancelled = event.step.cancel.map((id) => `cancel #${id}`);
      const finish = event.step.finish === undefined ? [] : [`finish: ${event.step.finish.kind}`];
      return [...started, ...cancelled, ...finish].join(", ");
    }
    case "activation.began":
      return `#${event.activation} attempt ${event.attempt}`;
    case "activation.retried":
      return `#${event.activation} attempt ${event.attempt}: ${event.error.message} [${event.error.code}], again in ${duration(event.delaySeconds)}`;
    case "activation.settled": {
      const error = event.error === undefined ? "" : `: ${event.error.message} [${event.error.code}]`;
      return `#${event.activation} ${event.state}, ${tokensOf(event.usage)} tokens, ${duration(event.seconds)}${error}`;
    }
    case "call.started":
      return `#${event.activation} call ${event.call} of ${event.model}, ${event.reserved.tokens} tokens reserved`;
    case "call.settled": {
      const error = event.error === undefined ? "" : `: ${event.error.message} [${event.error.code}]`;
      return `#${event.activation} call ${event.call} of ${event.model}, ${event.usage.inputTokens} tokens in, ${event.usage.outputTokens} out${error}`;
    }
    case "tool.used":
      return `#${event.activation} ${event.tool} ${event.input} ${event.ok ? "ok" : "not ok"}`;
    case "notice":
      return `${event.notice.topic} ${JSON.stringify(event.notice.data)}`;
    case "run.ended":
      return `${event.outcome.kind}, ${tokensOf(event.usage)} tokens, ${duration(event.seconds)}`;
  }
}
