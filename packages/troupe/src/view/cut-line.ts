import cliTruncate from "cli-truncate";
import stringWidth from "string-width";

/** A line cut to the cells of a terminal, with `…` where something is missing; escape sequences of colour stay whole. */
export function cutLine(line: string, columns: number): string {
  if (stringWidth(line) <= columns) return line;
  // A wide character at the edge makes the cut one cell too wide.
  const cut = cliTruncate(line, Math.max(1, columns));
  return stringWidth(cut) <= columns ? cut : cliTruncate(line, Math.max(1, columns - 1));
}
