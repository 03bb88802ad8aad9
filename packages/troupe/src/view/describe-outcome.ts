import { errorCodes, type Outcome, type RunHolder } from "@troupe/schema";
import { quoted } from "../quoted.ts";
import { oneLine, plainText } from "./terminal-text.ts";
import { count, duration, moment, money } from "./words.ts";

/** How a session of a run ended, in words, and what can be done now. */
export interface OutcomeWords {
  readonly what: string;
  /** A call, or a sentence. */
  readonly next: string;
}

type Exhausted = Extract<Outcome, { kind: "exhausted" }>;
type Call = (command: keyof CallWords, ...more: string[]) => string;

/** Words that further calls need besides the run's name. */
export interface CallWords {
  /** To find the run. */
  readonly show: string;
  /** To go on with it as it was called. */
  readonly resume: string;
}

/**
 * Says how a run ended and what to do next.
 *
 * @param run the run's name.
 * @param holder who works on it now.
 */
export function describeOutcome(
  outcome: Outcome | undefined,
  run: string,
  words: CallWords = { show: "", resume: "" },
  holder?: RunHolder,
): OutcomeWords {
  const call: Call = (command, ...more) => ["troupe", command, run, ...more, words[command]].filter(Boolean).join(" ");
  if (outcome === undefined && holder !== undefined)
    return { what: `It is being worked on: ${describeHolder(holder)}.`, next: `Look again: ${call("show")}` };
  if (outcome === undefined) return { what: "It was interrupted, and nobody works on it.", next: `Go on with it: ${call("resume")}` };
  switch (outcome.kind) {
    case "completed":
      return { what: "The run is completed.", next: `Look into it: ${call("show", "--transcript")}` };
    case "failed":
      return {
        what: `The run failed: ${plainText(outcome.error.message)} [${outcome.error.code}]`,
        next: afterFailure(outcome.error.code, call),
      };
    case "deadlocked":
      return {
        what: `The run could not go on: ${outcome.waiting.map(plainText).join("; ")}.`,
        next: `Look into it: ${call("show", "--log")}`,
      };
    case "exhausted":
      return {
        what: `The limit of ${amount(outcome.limit, outcome.allowed)}${whose(outcome)} ended the run; it used ${amount(outcome.limit, outcome.used)}.`,
        next: `Go on with more: ${call("resume", moreWords(outcome))}`,
      };
    case "cancelled":
      return { what: `The run was ${interruptionOf(oneLine(outcome.reason))}.`, next: `Go on with it: ${call("resume")}` };
  }
}

/** Who works on a run, and since when, in words. */
export function describeHolder({ pid, host, since }: RunHolder): string {
  return `process ${pid} on ${oneLine(host)} since ${moment(since)}`;
}

function afterFailure(code: string, call: Call): string {
  if (code === "run_lost") return `Look at it: ${call("show")}`;
  // The message of every other error says itself what to do.
  const help = code === "internal" ? `${errorCodes.internal.help} ` : "";
  return `${help}Then go on with it: ${call("resume")}`;
}

function interruptionOf(reason: string): string {
  return reason.startsWith("interrupted") ? reason : `interrupted: ${reason}`;
}

function amount(limit: Exhausted["limit"], value: number): string {
  switch (limit) {
    case "tokens":
    case "calls":
      return `${count(value)} ${limit}`;
    case "seconds":
      return duration(value);
    case "usd":
      return money(value);
  }
}

function whose({ of }: Exhausted): string {
  return of === undefined ? "" : ` of ${oneLine(of)}`;
}

/** The words of a call that raise a limit; those of agents and models are said as JSON. */
function moreWords(outcome: Exhausted): string {
  const { limit, of } = outcome;
  if (of === undefined) return `--limit-${limit} ${moreThan(outcome)}`;
  const [kind = "", ...name] = of.split(" ");
  return `--limits ${quoted(JSON.stringify({ [`${kind}s`]: { [name.join(" ")]: { [limit]: moreThan(outcome) } } }))}`;
}

/** Twice the limit, or more when so much is used already. */
function moreThan({ limit, allowed, used }: Exhausted): number {
  const more = Math.max(2 * allowed, 1.5 * used);
  return limit === "usd" ? Number(more.toPrecision(2)) : Math.ceil(more);
}
