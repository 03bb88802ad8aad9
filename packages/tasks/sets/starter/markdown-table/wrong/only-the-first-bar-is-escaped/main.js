const { readFileSync } = require("node:fs");

const lines = readFileSync(0, "utf8")
  .split("\n")
  .filter((line) => line.trim() !== "");
const rows = lines.map((line) => line.split(",").map((cell) => cell.trim().replace("|", "\\|")));
rows.forEach((row, index) => {
  const cells = rows[0].map((_, column) => row[column] ?? "");
  console.log(`| ${cells.join(" | ")} |`);
  if (index === 0) console.log(`| ${cells.map(() => "---").join(" | ")} |`);
});
