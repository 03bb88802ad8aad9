// Runs the program main.js of the workspace as a user would.
const { spawnSync } = require("node:child_process");

/** Calls `node main.js ARGS...` and waits for its end; `lines` are those of standard output, without white space at their ends. */
exports.run = (args, input = "") => {
  const done = spawnSync(process.execPath, ["main.js", ...args], { input, encoding: "utf8", timeout: 10_000 });
  const out = done.stdout.trimEnd();
  return { code: done.status, err: done.stderr, lines: out === "" ? [] : out.split("\n").map((line) => line.trimEnd()) };
};
