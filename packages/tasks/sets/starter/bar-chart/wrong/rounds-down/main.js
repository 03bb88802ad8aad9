const { readFileSync } = require("node:fs");

const rows = readFileSync(0, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "")
  .map((line) => line.split(" "));
const width = Math.max(...rows.map(([label]) => label.length));
const greatest = Math.max(1, ...rows.map(([, number]) => Number(number)));
for (const [label, number] of rows) {
  console.log(`${label.padEnd(width)} |${"#".repeat(Math.floor((20 * number) / greatest))} ${number}`);
}
