import type { TopologyChange } from "./compare-topologies.ts";

/** Things named in one line. */
const shownNames = 3;

/**
 * Differences in words, one line for what changed alike: `edge 1→2: rounds 1 → 2`, `nodes 4, 5 and 6 are new`.
 *
 * @example
 * describeChanges(compareTopologies(before, after)).join("\n");
 */
export function describeChanges(changes: readonly TopologyChange[]): string[] {
  const groups = new Map<string, TopologyChange[]>();
  for (const change of changes) {
    const alike = `${change.thing} ${wordsOf(change)}`;
    const group = groups.get(alike);
    if (group === undefined) groups.set(alike, [change]);
    else group.push(change);
  }
  return [...groups.values()].map(lineOf);
}

function lineOf(group: readonly TopologyChange[]): string {
  const [first] = group as [TopologyChange];
  const { thing, field } = first;
  if (thing === "topology") return wordsOf(first);
  if (thing === "limit") return `limits: ${wordsOf(first)}`;
  const [names, verb] = [namesOf(group), group.length === 1 ? "is" : "are"];
  return field === undefined ? `${names} ${verb} ${wordsOf(first)}` : `${names}: ${wordsOf(first)}`;
}

function namesOf(group: readonly TopologyChange[]): string {
  const [first] = group as [TopologyChange];
  const names = group.map(({ name }) => name);
  if (names.length === 1) return `${first.thing} ${names[0]}`;
  const shown = names.length <= shownNames + 1 ? names : [...names.slice(0, shownNames), `${names.length - shownNames} more`];
  return `${first.thing}s ${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

function wordsOf({ field, before, after }: TopologyChange): string {
  if (field === undefined) return before === undefined ? "new" : "gone";
  const [was, is] = [shown(before), shown(after)];
  return was === undefined || is === undefined ? `other ${field}` : `${field} ${was} → ${is}`;
}

/** A value that is short enough to be shown. */
function shown(value: unknown): string | undefined {
  if (value === undefined) return "none";
  const words = typeof value === "string" ? value : JSON.stringify(value);
  return words.length <= 40 && !words.includes("\n") ? words : undefined;
}
