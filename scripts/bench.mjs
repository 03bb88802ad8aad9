// Runs the benchmarks of test/bench one after the other, each in a fresh process: `npm run bench [name…]`.

import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { bootstrap, root } from "./bootstrap.mjs";

await bootstrap();
const folder = join(root, "test", "bench");
const wanted = process.argv.slice(2);
const files = existsSync(folder)
  ? readdirSync(folder)
      .filter((name) => name.endsWith(".mjs"))
      .sort()
  : [];
const chosen = files.filter((name) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
if (chosen.length === 0) {
  process.stderr.write(`No benchmark matches. There are: ${files.join(", ") || "none"}.\n`);
  process.exitCode = 2;
}
for (const name of chosen) {
  process.stdout.write(`\n${name}\n`);
  const { status } = spawnSync(process.execPath, ["--expose-gc", join(folder, name)], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exitCode = 1;
}
