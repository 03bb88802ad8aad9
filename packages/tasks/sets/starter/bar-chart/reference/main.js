const { readFileSync } = require("node:fs");

const lines = readFileSync(0, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "");
const rows = lines.map((line) => {
  const [label, number] = line.trim().split(/\s+/);
  return { label, number: Number(number) };
});
const width = Math.max(0, ...rows.map((row) => row.label.length));
const greatest = Math.max(1, ...rows.map((row) => row.number));
for (const { label, number } of rows) {
  const bar = "#".repeat(Math.round((20 * number) / greatest));
  process.stdout.write(`${label.padEnd(width)} |${bar} ${number}\n`);
}
