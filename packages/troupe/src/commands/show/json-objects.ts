import type { Transcript } from "../../view/transcript.ts";
import type { ShownRun } from "./shown-run.ts";

/** A run as `troupe show --json` prints it. */
export function runObject({ run, state, holder }: ShownRun) {
  const { started, outcome, usage, usageByAgent, earlierSeconds, sessions, limits, rows } = state;
  return {
    run,
    topology: started?.topology ?? null,
    task: started?.task ?? null,
    seed: started?.seed ?? null,
    startedAt: started?.at ?? null,
    outcome: outcome ?? null,
    holder: holder ?? null,
    limits,
    usage,
    seconds: earlierSeconds,
    sessions,
    agents: Object.fromEntries(usageByAgent),
    activations: rows.map(({ activation, state: at, attempt, output, error, usage: spent, beganAt, settledAt }) => ({
      id: activation.id,
      label: activation.label,
      agent: activation.agent ?? null,
      meta: activation.meta,
      state: at,
      attempt,
      artifact: output ?? null,
      error: error ?? null,
      usage: spent,
      beganAt: beganAt ?? null,
      settledAt: settledAt ?? null,
    })),
  };
}

/** A transcript as `troupe show --transcript --json` prints it, one line an activation. */
export function transcriptObject({ row, given, turns, artifact }: Transcript) {
  const { activation, state } = row;
  return {
    activation: activation.id,
    label: activation.label,
    agent: activation.agent ?? null,
    state,
    given: given.map(({ name, from }) => ({ name, from: from ?? null })),
    turns: turns.map((turn) =>
      turn.kind === "call"
        ? { kind: "call", messages: turn.messages, answer: turn.answer ?? null, error: turn.event.error ?? null, usage: turn.event.usage }
        : turn.event,
    ),
    artifact: artifact ?? null,
  };
}
