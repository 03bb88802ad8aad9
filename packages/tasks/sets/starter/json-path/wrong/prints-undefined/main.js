const { readFileSync } = require("node:fs");

const [path, ...more] = process.argv.slice(2);
let value;
try {
  if (path === undefined || more.length > 0) throw new Error("usage: node main.js PATH");
  value = JSON.parse(readFileSync(0, "utf8"));
} catch (error) {
  console.error(error.message);
  process.exit(2);
}
for (const step of path.split(".")) value = value?.[step];
console.log(typeof value === "string" ? value : JSON.stringify(value));
