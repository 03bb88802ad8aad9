const { readFileSync } = require("node:fs");

const rows = readFileSync(0, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => line.split(" "));
const width = Math.max(...rows.map(([label]) => label.length));
const greatest = Math.max(...rows.map(([, number]) => Number(number)));
for (const [label, number] of rows) {
  const length = Math.round((20 * number) / greatest);
  console.log(`${label.padEnd(width)} |${Array.from({ length }).fill("#").join("") || "NaN"} ${number}`);
}
