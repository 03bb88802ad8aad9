import { type Activation, type ActivationDraft, type LoggedStep, parentsOf, type Step, TroupeError } from "@troupe/schema";
import { type ActivationRow, isSettled } from "./activation-table.ts";

const nothing: number[] = [];
const noMeta: Activation["meta"] = {};

/**
 * Gives a director's answer its ids and defaults. A step that finishes the run does nothing else.
 *
 * @throws TroupeError `internal` when the step names activations that don't exist.
 */
export function toLoggedStep(step: Step, rows: readonly ActivationRow[]): LoggedStep {
  if (step.finish !== undefined) return { start: [], cancel: [], finish: step.finish };
  const start = step.start?.map((draft, index) => toActivation(draft, rows.length + index)) ?? [];
  const cancel = step.cancel?.filter((id) => !isSettled(rowOf(rows, id).state)) ?? nothing;
  return { start, cancel };
}

/** Whether a step does nothing, so that it needs no event. */
export function isEmptyStep(step: LoggedStep): boolean {
  return step.finish === undefined && step.start.length === 0 && step.cancel.length === 0;
}

function toActivation(draft: ActivationDraft, id: number): Activation {
  const { after = nothing, scope = "", priority = 0, meta = noMeta } = draft;
  const made: Activation = { ...draft, id, after, scope, priority, meta };
  for (const parent of parentsOf(made)) {
    if (Number.isInteger(parent) && parent >= 0 && parent < id) continue;
    throw new TroupeError("internal", `It starts activation ${id} (${made.label}) after ${parent}, which was not started before.`);
  }
  if (Number.isFinite(made.priority)) return made;
  throw new TroupeError("internal", `It starts activation ${id} (${made.label}) with the priority ${made.priority}.`);
}

function rowOf(rows: readonly ActivationRow[], id: number): ActivationRow {
  const row = rows[id];
  if (row === undefined) throw new TroupeError("internal", `It cancels activation ${id}, which was never started.`);
  return row;
}
