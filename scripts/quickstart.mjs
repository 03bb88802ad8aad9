// From a fresh clone to a finished program that runs: installs and builds if needed, gets the model once, has a troupe write the program.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { bootstrap, root } from "./bootstrap.mjs";

const product = join("out", "quickstart");
/** A small model does not manage every time; what it makes with one seed it may not make with another. */
const seeds = [5, 2, 4];
const run = ["run", join("topologies", "review-chain.yaml"), "--tasks", "programs", "--only", "word-count", "--out", product];
const attempt = ["try", product, "--stdin", "README.md", "5"];

/** Runs the command; resolves with its exit code. */
function troupe(args) {
  const child = spawn(process.execPath, [join(root, "packages", "troupe", "bin", "troupe.mjs"), ...args], { cwd: root, stdio: "inherit" });
  const stop = () => child.kill("SIGTERM");
  process.on("SIGTERM", stop);
  return new Promise((resolve) => {
    child.on("exit", (code, signal) => {
      process.off("SIGTERM", stop);
      resolve(code ?? (signal === "SIGINT" ? 130 : 1));
    });
  });
}

/** Calls the command one line after another; stops at the first that does not end well. */
async function inTurn(...calls) {
  for (const args of calls) {
    process.stderr.write(`\n> troupe ${args.join(" ")}\n`);
    const code = await troupe(args);
    if (code !== 0) return code;
  }
  return 0;
}

await bootstrap();
// Ctrl-C reaches the command by itself; this process only has to outlive it.
process.on("SIGINT", () => {});
process.exitCode = await inTurn(["models", "pull", "--if-needed"]);
if (process.exitCode === 0) {
  for (const seed of seeds) {
    process.exitCode = await inTurn([...run, "--seed", String(seed), ...process.argv.slice(2)], attempt);
    if (process.exitCode === 0 || process.exitCode === 130) break;
    process.stderr.write(`\nWith seed ${seed} no program came out that runs.\n`);
  }
}
