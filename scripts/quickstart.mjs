// From a fresh clone to a finished program that runs: installs and builds if needed, gets the model once, has a troupe write the program.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { bootstrap, root } from "./bootstrap.mjs";

const product = join("out", "quickstart");
const calls = [
  ["models", "pull", "--if-needed"],
  ["run", join("topologies", "review-chain.yaml"), "--tasks", "programs", "--only", "word-count", "--seed", "5", "--out", product],
  ["try", product, "--stdin", "README.md", "5"],
];

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

await bootstrap();
// Ctrl-C reaches the command by itself; this process only has to outlive it.
process.on("SIGINT", () => {});
for (const args of calls) {
  process.stderr.write(`\n> troupe ${args.join(" ")}\n`);
  const code = await troupe(args);
  process.exitCode = code;
  if (code !== 0) break;
}
