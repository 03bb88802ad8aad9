const { readFileSync } = require("node:fs");

const lines = readFileSync(0, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "");
const rows = lines.map((line) => line.split(",").map((cell) => cell.trim().replaceAll("|", "\\|")));
const width = rows[0]?.length ?? 0;

function print(cells) {
  const row = Array.from({ length: width }, (_, index) => cells[index] ?? "");
  process.stdout.write(`| ${row.join(" | ")} |\n`);
}

rows.forEach((row, index) => {
  print(row);
  if (index === 0) print(row.map(() => "---"));
});
