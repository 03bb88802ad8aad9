import stringWidth from "string-width";

/** How the cells of a column stand. */
export type Align = "left" | "right";

/**
 * Lines of a table: columns two spaces apart, as wide as their widest cell on a terminal; nothing is cut.
 *
 * @param align of each column; further columns stand left.
 * @example
 * formatTable([["agent", "tokens"], ["programmer", "12"]], ["left", "right"]); // ["agent       tokens", "programmer      12"]
 */
export function formatTable(rows: readonly (readonly string[])[], align: readonly Align[] = []): string[] {
  const widths: number[] = [];
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, stringWidth(cell));
  return rows.map((row) => {
    const cells = row.map((cell, at) => {
      const fill = " ".repeat((widths[at] ?? 0) - stringWidth(cell));
      return align[at] === "right" ? fill + cell : cell + fill;
    });
    return cells.join("  ").trimEnd();
  });
}
