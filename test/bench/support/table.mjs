/** A Markdown table whose columns stand under each other, for people and for pages alike. */
export function table(head, rows) {
  const lines = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, column) => Math.max(3, ...lines.map((row) => row[column].length)));
  const line = (cells) => `| ${cells.map((cell, column) => cell.padEnd(widths[column])).join(" | ")} |`;
  const [first, ...others] = lines;
  return [line(first), `|${widths.map((width) => "-".repeat(width + 2)).join("|")}|`, ...others.map(line)].join("\n");
}

const barHead = ["what", "figure", "bar", "met"];

/** The table of what was measured against its bars. */
export function barTable(rows) {
  return table(
    barHead,
    rows.map(({ what, figure, bar, met }) => [what, figure, bar ?? "", met === undefined ? "" : met ? "yes" : "NO"]),
  );
}
