import { createRandom, type ExperimentSplit, type Task } from "@troupe/schema";

/** The part of a set that a split uses, or the ids that no task has. */
export type SplitTasks =
  | { readonly tasks: readonly Task[] }
  | { readonly unknown: readonly { readonly part: string; readonly id: string }[] };

/**
 * Takes the used part out of a task set, in the set's order.
 *
 * Shares are drawn from the ids in alphabetical order, shuffled by the seed, one part after the other in the order of the file: so the
 * parts never overlap, and stay the same when the set's lines change their order.
 */
export function splitTasks(tasks: readonly Task[], { parts, seed, use }: ExperimentSplit): SplitTasks {
  const ids = new Set(tasks.map(({ id }) => id));
  const unknown = Object.entries(parts).flatMap(([part, of]) =>
    typeof of === "number" ? [] : of.filter((id) => !ids.has(id)).map((id) => ({ part, id })),
  );
  if (unknown.length > 0) return { unknown };
  const used = parts[use];
  const chosen = new Set(typeof used === "number" ? drawShare([...ids].sort(), { parts, seed, use }) : used);
  return { tasks: tasks.filter(({ id }) => chosen.has(id)) };
}

function drawShare(ids: readonly string[], { parts, seed, use }: ExperimentSplit): string[] {
  const shuffled = createRandom(seed, "split").shuffle(ids);
  let before = 0;
  for (const [part, share] of Object.entries(parts)) {
    const after = before + (typeof share === "number" ? share : 0);
    // Rounded at the borders and not by part, so that parts that make up the whole leave no task out.
    if (part === use) return shuffled.slice(Math.round(before * ids.length), Math.round(after * ids.length));
    before = after;
  }
  return [];
}
