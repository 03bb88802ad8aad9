import type { RunState } from "@troupe/engine";
import { type Clock, type EventOf, systemClock, type WatchedEvent } from "@troupe/schema";
import type { OutputStream } from "../context.ts";
import { ActivationTexts, type ReadArtifact } from "./activation-texts.ts";
import { nameActivation } from "./run-tree.ts";
import { oneLine } from "./terminal-text.ts";
import { startTicker } from "./ticker.ts";
import type { Watcher } from "./watcher.ts";
import { count, duration, plural, tokensOf } from "./words.ts";

/** Seconds without a line after which a line says what still goes on. */
const quietSeconds = 30;

/** What a plain watcher needs. */
export interface PlainWatcherOptions {
  readonly out: OutputStream;
  readonly read: ReadArtifact;
  /** Default: the machine's. */
  readonly clock?: Clock;
}

/** Prints a line for everything that a person wants to know, for logs and pipes; and one every half minute when nothing happens. */
export function createPlainWatcher({ out, read, clock = systemClock }: PlainWatcherOptions): Watcher {
  const texts = new ActivationTexts(read);
  let state: RunState | undefined;
  let lastAt = clock.now();
  /** Lines that wait for the end of a pause. */
  let held: string[] | undefined;
  const print = (line: string): void => {
    lastAt = clock.now();
    if (held === undefined) out.write(`${line}\n`);
    else held.push(line);
  };
  const release = (): void => {
    const lines = held ?? [];
    held = undefined;
    for (const line of lines) print(line);
  };
  const beat = () => {
    if (state !== undefined && held === undefined && clock.now() - lastAt >= quietSeconds * 1000)
      print(stillLine(state, texts, clock.now()));
  };
  const stopTicker = startTicker(clock, 1000, beat);
  return {
    see: (event, current) => {
      state = current;
      texts.see(event, current);
      const line = describeEvent(event, current, texts);
      if (line !== undefined) print(line);
    },
    note: (message) => print(oneLine(message)),
    pause: () => {
      held ??= [];
      return release;
    },
    end: () => {
      stopTicker();
      release();
    },
  };
}

/** An event as a line, or nothing when a person need not know of it. */
function describeEvent(event: WatchedEvent, state: RunState, texts: Pick<ActivationTexts, "made">): string | undefined {
  switch (event.kind) {
    case "run.started":
      return `run ${event.run}: ${oneLine(event.topology)}, seed ${event.seed}`;
    case "run.resumed":
      return `run ${state.started?.run ?? ""}: resumed, ${plural(state.counts.done, "activation")} done before`;
    case "activation.began":
      return beganLine(event, state);
    case "activation.retried":
      return `↻ ${nameOf(event.activation, state)}: ${oneLine(event.error.message)} Again in ${duration(event.delaySeconds)}.`;
    case "activation.settled":
      return settledLine(event, state, texts.made(event.activation));
    case "tool.used":
      return `  ${event.ok ? "✓" : "✗"} ${nameOf(event.activation, state)}: ${event.tool} ${oneLine(event.input.split("\n", 1)[0] ?? "")}`;
    case "run.ended":
      return `${event.outcome.kind} after ${duration(event.seconds)}`;
    case "step":
    case "call.started":
    case "call.settled":
    case "call.delta":
    case "notice":
      return undefined;
  }
}

function beganLine({ activation, attempt }: EventOf<"activation.began">, state: RunState): string {
  const ask = state.rows[activation]?.activation.wait?.ask;
  const asks = ask === undefined ? "" : ` asks a person: ${oneLine(ask.slice(0, 500))}`;
  return `▸ ${nameOf(activation, state)}${attempt > 1 ? ` (attempt ${attempt})` : ""}${asks}`;
}

function settledLine(event: EventOf<"activation.settled">, state: RunState, made: string): string {
  const mark = { done: "✓", failed: "✗", cancelled: "⊘" }[event.state];
  const spent = `${plural(tokensOf(event.usage), "token")}, ${duration(event.seconds)}`;
  return `${mark} ${nameOf(event.activation, state)} ${event.state} (${spent})${made === "" ? "" : `: ${made}`}`;
}

function stillLine(state: RunState, texts: ActivationTexts, now: number): string {
  const running = [...state.running].slice(0, 3).map((id) => {
    const seconds = Math.max(0, now - Math.max(state.rows[id]?.beganAt ?? now, state.sessionStartedAt)) / 1000;
    const writes = state.rows[id]?.activation.kind === "wait" ? "no answer yet" : `${count(texts.writing(id))} tokens`;
    return `${nameOf(id, state)}, ${duration(seconds)}, ${writes}`;
  });
  const more = state.running.size > running.length ? `; and ${state.running.size - running.length} more` : "";
  return `  still ${running.length === 0 ? "waiting" : running.join("; ")}${more}`;
}

function nameOf(id: number, state: RunState): string {
  const activation = state.rows[id]?.activation;
  return activation === undefined ? `#${id}` : `#${id} ${nameActivation(activation)}`;
}
