// Runs the benchmarks of test/bench one after the other, each in a fresh process, and prints one table of what was found against its
// bars: `npm run bench -- [name…] [--quick] [--json] [--write]`. --quick takes small sizes and at most two minutes on two idle cores;
// --json gives one document on standard output; --write puts the results of a full run into docs/benchmarks.md. What goes on is
// said on standard error. The exit status is 1 when a benchmark fails or misses a bar.

import { spawn, spawnSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { machine, page } from "../test/bench/support/page.mjs";
import { barTable, table } from "../test/bench/support/table.mjs";
import { bootstrap, root } from "./bootstrap.mjs";

const folder = join(root, "test", "bench");
const words = process.argv.slice(2);
const flags = words.filter((word) => word.startsWith("--"));
const wanted = words.filter((word) => !word.startsWith("--"));
const [quick, json, write] = ["--quick", "--json", "--write"].map((flag) => flags.includes(flag));

const files = readdirSync(folder)
  .filter((name) => name.endsWith(".mjs"))
  .sort();
const chosen = files.filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
const complaint = complain();
if (complaint === undefined) await measure();
else {
  process.stderr.write(`${complaint}\n`);
  process.exitCode = 2;
}

function complain() {
  const unknown = flags.find((flag) => !["--quick", "--json", "--write"].includes(flag));
  if (unknown !== undefined) return `${unknown} means nothing here; there are --quick, --json and --write.`;
  if (chosen.length === 0) return `No benchmark matches ${wanted.join(", ")}. There are: ${files.join(", ")}.`;
  if (write && (quick || chosen.length < files.length))
    return "--write is for a full run of all benchmarks: leave out --quick and the names.";
  return undefined;
}

async function measure() {
  await bootstrap();
  const began = Date.now();
  const reports = [];
  for (const name of chosen) {
    process.stderr.write(`\n${name}\n`);
    reports.push(await run(name));
  }
  const seconds = Math.round((Date.now() - began) / 1000);
  const rows = reports.flatMap((report) => report.rows);
  if (json) process.stdout.write(`${JSON.stringify({ quick, seconds, machine: machine(), reports }, undefined, 2)}\n`);
  else {
    for (const { title, about, head, rows: lines } of quick ? [] : reports.flatMap(({ sections }) => sections)) {
      process.stdout.write(`\n${title}: ${about}\n${table(head, lines)}\n`);
    }
    process.stdout.write(`\n${barTable(rows)}\n${seconds} s\n`);
  }
  if (write) writeFileSync(join(root, "docs", "benchmarks.md"), page(reports, { commit: commit() }));
  if (rows.some(({ met }) => met === false)) process.exitCode = 1;
}

/** What a benchmark reports; one that fails is a row that says so. */
function run(name) {
  return new Promise((resolve) => {
    const args = ["--expose-gc", join(folder, name), "--json", ...(quick ? ["--quick"] : [])];
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "inherit"] });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text) => {
      output += text;
    });
    child.on("close", (code) => resolve(read(output) ?? failed(name, code)));
  });
}

function read(output) {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
}

function failed(name, code) {
  const row = { what: name, figure: `failed (${code ?? "killed"}); what it said stands above`, bar: "ends", met: false };
  return { name, rows: [row], sections: [] };
}

/** The commit that was measured; undefined outside a clone, and marked when the files differ from it. */
function commit() {
  const { status, stdout } = spawnSync("git", ["describe", "--always", "--dirty"], { cwd: root, encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}
