import { printable } from "./quote.ts";

const width = 96;

/**
 * A source line with a caret under a place; long lines are shown in a window around it.
 *
 * @param place Line and column from 1, and how many characters to underline.
 */
export function excerptOf(source: string, place: { line: number; column: number; length: number }): string {
  const at = Math.min(place.column - 1, source.length);
  const start = at > width - 20 ? at - width / 2 : 0;
  const before = `${start > 0 ? "…" : ""}${printable(source.slice(start, at))}`;
  const shown = printable(source.slice(at, start + width)).trimEnd();
  const carets = Math.max(1, Math.min(place.length, shown.length));
  const gutter = `${place.line} | `.padStart(7);
  return `${gutter}${before}${shown}\n${" ".repeat(gutter.length - 2)}| ${" ".repeat(before.length)}${"^".repeat(carets)}`;
}
