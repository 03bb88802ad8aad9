import { type ActivationRow, isSettled } from "@troupe/engine";
import { activationCells, foldedCells, type TreeStyle } from "./activation-cells.ts";
import { type Branch, stepName } from "./run-tree.ts";

/** A line of the tree: cells of the table, or a text that stands by itself. */
export type TreeLine = { readonly cells: readonly string[] } | { readonly text: string };

/** A branch that can be drawn in fewer and fewer lines. */
interface Drawn {
  readonly branch: Branch;
  readonly settled: boolean;
  lines: readonly TreeLine[];
}

/**
 * The lines of a tree, at most `room`: what runs is shown as long as possible; nodes that are done are folded, the oldest first,
 * then left out; what is left out is counted in a last line.
 */
export function foldBranches(branches: readonly Branch[], room: number, style: TreeStyle): TreeLine[] {
  const drawn = nearest(branches, room).map((branch): Drawn => ({ branch, settled: isDone(branch), lines: wholeBranch(branch, style) }));
  const shrink = (which: (of: Drawn) => boolean, draw: (branch: Branch) => readonly TreeLine[]): void => {
    let excess = drawn.reduce((sum, { lines }) => sum + lines.length, 0) - room;
    for (const one of drawn) {
      if (excess <= 0) return;
      if (!which(one)) continue;
      const lines = draw(one.branch);
      excess -= one.lines.length - lines.length;
      one.lines = lines;
    }
  };
  shrink(
    ({ settled }) => settled,
    (branch) => [{ cells: foldedCells(branch, style) }],
  );
  shrink(
    ({ settled }) => !settled,
    (branch) => busyBranch(branch, style, true),
  );
  shrink(
    ({ settled }) => !settled,
    (branch) => busyBranch(branch, style, false),
  );
  const total = branches.reduce((sum, { rows }) => sum + rows.length, 0);
  return leaveOut(drawn, room, total);
}

const isDone = ({ rows }: Branch): boolean => rows.every((row) => isSettled(row.state));

/** The branches that could be shown at all, so that a frame of a very large run costs no more than one of a small run. */
function nearest(branches: readonly Branch[], room: number): readonly Branch[] {
  if (branches.length <= room) return branches;
  const busy = branches.filter((branch) => !isDone(branch)).slice(0, room);
  const done = branches.filter(isDone);
  const chosen = new Set([...busy, ...done.slice(Math.max(0, done.length - room))]);
  return branches.filter((branch) => chosen.has(branch));
}

function wholeBranch({ node, rows }: Branch, style: TreeStyle): TreeLine[] {
  const [only] = rows;
  if (only !== undefined && rows.length === 1) {
    const name = stepName(only.activation);
    return rowLines(only, node === undefined ? name : `${style.colors.bold(node)} ${name}`, style, "");
  }
  return [{ text: style.colors.bold(node ?? "") }, ...rows.flatMap((row) => rowLines(row, stepName(row.activation), style, "  "))];
}

/** Only what has not ended, without the rest. */
function busyBranch({ node, rows }: Branch, style: TreeStyle, withText: boolean): TreeLine[] {
  const name = (row: ActivationRow) =>
    node === undefined ? stepName(row.activation) : `${style.colors.bold(node)} ${stepName(row.activation)}`;
  const busy = rows.filter((row) => row.state === "running");
  const shown = busy.length > 0 ? busy : rows.filter((row) => !isSettled(row.state)).slice(0, 1);
  return shown.flatMap((row) => rowLines(row, name(row), style, "").slice(0, withText ? undefined : 1));
}

function rowLines(row: ActivationRow, name: string, style: TreeStyle, indent: string): TreeLine[] {
  const [first = "", ...rest] = activationCells(row, name, style);
  const line = { cells: [indent + first, ...rest] };
  const text = row.state === "running" && style.live ? style.texts.running(row.activation.id) : "";
  return text === "" ? [line] : [line, { text: style.colors.dim(`${indent}    ${text}`) }];
}

function leaveOut(drawn: readonly Drawn[], room: number, total: number): TreeLine[] {
  const sum = (count: (of: Drawn) => number): number => drawn.reduce((all, one) => all + count(one), 0);
  const hidden = total - sum(({ branch }) => branch.rows.length);
  let excess = sum(({ lines }) => lines.length) - room;
  if (excess <= 0 && hidden === 0) return drawn.flatMap(({ lines }) => lines);
  // One line more has to go for the line that counts.
  excess++;
  const drop = (one: Drawn): void => {
    if (excess <= 0) return;
    excess -= one.lines.length;
    one.lines = [];
  };
  for (const one of drawn) if (one.settled) drop(one);
  for (const one of drawn.toReversed()) drop(one);
  const left = hidden + sum(({ lines, branch }) => (lines.length === 0 ? branch.rows.length : 0));
  return [...drawn.flatMap(({ lines }) => lines), { text: `+${left} more` }];
}
