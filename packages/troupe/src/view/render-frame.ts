import type { RunState } from "@troupe/engine";
import type { TreeStyle } from "./activation-cells.ts";
import { cutLine } from "./cut-line.ts";
import { foldBranches, type TreeLine } from "./fold-branches.ts";
import { formatTable } from "./format-table.ts";
import { frameHeader } from "./frame-header.ts";
import { branchesOf } from "./run-tree.ts";

/** What a frame is drawn with. */
export interface FrameOptions extends Omit<TreeStyle, "sessionStartedAt"> {
  /** Cells of the terminal in a line. */
  readonly columns: number;
  /** The most lines a frame may have; `Infinity` for one that stays. */
  readonly rows: number;
  /** What goes on besides the activations, such as loading a model. */
  readonly note?: string | undefined;
}

/** The state of a run as lines of a terminal: a header, and the tree of its activations. Pure; no line is wider than the terminal. */
export function renderFrame(state: RunState, options: FrameOptions): string[] {
  const { columns, rows, colors, note } = options;
  const head = frameHeader(state, options);
  if (note !== undefined) head.push(colors.yellow(note));
  const style = { ...options, sessionStartedAt: state.sessionStartedAt };
  const tree = foldBranches(branchesOf(state.rows), Math.max(1, rows - head.length), style);
  const lines = [...head, ...alignCells(tree)].slice(0, rows);
  return lines.map((line) => cutLine(line, columns));
}

function alignCells(lines: readonly TreeLine[]): string[] {
  const table = formatTable(
    lines.flatMap((line) => ("cells" in line ? [line.cells] : [])),
    ["left", "left", "right", "right"],
  ).values();
  return lines.map((line) => ("cells" in line ? (table.next().value ?? "") : line.text));
}
