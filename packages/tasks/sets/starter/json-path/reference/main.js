const { readFileSync } = require("node:fs");

function fail(message, code) {
  process.stderr.write(`${message}\n`);
  process.exit(code);
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch (error) {
    return fail(`not JSON: ${error.message}`, 2);
  }
}

const paths = process.argv.slice(2);
if (paths.length !== 1) fail("usage: node main.js PATH", 2);
let value = parse(readFileSync(0, "utf8"));
for (const step of paths[0].split(".")) {
  const inside = typeof value === "object" && value !== null && Object.hasOwn(value, step);
  if (!inside) fail(`there is no ${step}`, 1);
  value = value[step];
}
process.stdout.write(`${typeof value === "string" ? value : JSON.stringify(value)}\n`);
