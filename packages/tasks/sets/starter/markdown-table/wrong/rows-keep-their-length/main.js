const { readFileSync } = require("node:fs");

const lines = readFileSync(0, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "");
const rows = lines.map((line) => line.split(",").map((cell) => cell.trim().replaceAll("|", "\\|")));
rows.forEach((row, index) => {
  console.log(`| ${row.join(" | ")} |`);
  if (index === 0) console.log(`| ${row.map(() => "---").join(" | ")} |`);
});
