// Fails when the second call of the bootstrap still installs or builds something.

import { spawnSync } from "node:child_process";

const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/bootstrap.mjs"], { encoding: "utf8" });
if (status !== 0 || stdout !== "" || stderr !== "") {
  process.stderr.write(`The second bootstrap was not quiet:\n${stdout}${stderr}`);
  process.exitCode = 1;
}
