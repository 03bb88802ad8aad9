import { type Activation, type ActivationDraft, type LoggedStep, type Step, TroupeError } from "@troupe/schema";
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
  return step.handled === undefined ? { start, cancel } : { start, cancel, handled: step.handled };
}

/** Whether a step does and says nothing, so that it needs no event. */
export function isEmptyStep(step: LoggedStep): boolean {
  return isIdleStep(step) && step.handled === undefined;
}

/** Whether a step changes nothing. */
export function isIdleStep({ start, cancel, finish }: LoggedStep): boolean {
  return finish === undefined && start.length === 0 && cancel.length === 0;
}

function toActivation(draft: ActivationDraft, id: number): Activation {
  const { kind, inputs, after = nothing, scope = "", label, priority = 0, meta = noMeta } = draft;
  // Written out, because a spread would cost more than all else that the engine does for an activation.
  const made: Activation = { id, kind, inputs, after, scope, label, priority, meta };
  if (draft.agent !== undefined) made.agent = draft.agent;
  if (draft.model !== undefined) made.model = draft.model;
  if (draft.temperature !== undefined) made.temperature = draft.temperature;
  if (draft.wait !== undefined) made.wait = draft.wait;
  checkParents(made);
  if (Number.isFinite(priority)) return made;
  throw new TroupeError("internal", `It starts activation ${id} (${label}) with the priority ${priority}.`);
}

function checkParents(made: Activation): void {
  for (const input of made.inputs) if ("from" in input) checkParent(made, input.from);
  for (const parent of made.after) checkParent(made, parent);
}

function checkParent({ id, label }: Activation, parent: number): void {
  if (Number.isInteger(parent) && parent >= 0 && parent < id) return;
  throw new TroupeError("internal", `It starts activation ${id} (${label}) after ${parent}, which was not started before.`);
}

function rowOf(rows: readonly ActivationRow[], id: number): ActivationRow {
  const row = rows[id];
  if (row === undefined) throw new TroupeError("internal", `It cancels activation ${id}, which was never started.`);
  return row;
}
