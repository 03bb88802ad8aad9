// From a fresh clone to a finished program: installs and builds if needed, then has a troupe write one.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { bootstrap, root } from "./bootstrap.mjs";

/** What the command is called with. */
const call = ["run", "topologies/review-chain.yaml", "--tasks", "starter", "--task-id", "unit-converter", "--out", "out/quickstart"];

await bootstrap();
const args = [join(root, "packages", "troupe", "bin", "troupe.mjs"), ...call, ...process.argv.slice(2)];
const troupe = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
// Ctrl-C reaches the command by itself; this process only has to outlive it.
process.on("SIGINT", () => {});
process.on("SIGTERM", () => troupe.kill("SIGTERM"));
troupe.on("exit", (code, signal) => {
  process.exitCode = code ?? (signal === "SIGINT" ? 130 : 1);
});
