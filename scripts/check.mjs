// All that a machine can say about the code: `npm run check`, `npm run check -- --fix`.

import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { bootstrap, root } from "./bootstrap.mjs";

const fix = process.argv.includes("--fix");
const reportAt = process.argv.indexOf("--report");
const report = reportAt < 0 ? undefined : process.argv[reportAt + 1];

/** What is checked, with the command that checks it. */
const checks = [
  ["types", "the compiler, tests included", "typescript/bin/tsc", ["-p", "tsconfig.test.json"]],
  ["format", "Biome's formatter", "@biomejs/biome/bin/biome", ["format", ...(fix ? ["--write"] : []), "."]],
  ["lint", "Biome's rules", "@biomejs/biome/bin/biome", ["lint", "--error-on-warnings", ...(fix ? ["--write"] : []), "."]],
  ["rules", "rules that need types, and sizes", "eslint/bin/eslint.js", [...(fix ? ["--fix"] : []), "--max-warnings=0", "."]],
  ["imports", "directions, cycles, deep imports", "dependency-cruiser/bin/dependency-cruise.mjs", ["packages", "test"]],
  ["dead code", "unused files, exports, dependencies", "knip/bin/knip.js", ["--no-config-hints"]],
];

await bootstrap({ builds: false });
const results = [];
for (const [name, what, script, args] of checks) {
  const started = Date.now();
  const { code, output } = await run(join(root, "node_modules", script), args);
  results.push({ name, what, ok: code === 0, seconds: (Date.now() - started) / 1000 });
  if (code !== 0) process.stdout.write(`\n${name}\n${output.trim()}\n`);
}

const width = Math.max(...checks.map(([, what]) => what.length));
process.stdout.write("\n");
for (const { name, what, ok, seconds } of results) {
  process.stdout.write(`${ok ? "✓" : "✗"} ${name.padEnd(10)} ${what.padEnd(width)} ${seconds.toFixed(1).padStart(6)} s\n`);
}
if (report !== undefined) writeFileSync(report, JSON.stringify(results));
process.exitCode = results.every(({ ok }) => ok) ? 0 : 1;

function run(script, args) {
  return new Promise((settle) => {
    const env = { ...process.env, ...(process.stdout.isTTY ? { FORCE_COLOR: "1" } : {}) };
    const child = spawn(process.execPath, [script, ...args], { cwd: root, env, stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (output += text));
    child.on("close", (code) => settle({ code, output }));
  });
}
