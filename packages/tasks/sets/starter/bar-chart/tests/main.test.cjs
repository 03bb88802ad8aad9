const assert = require("node:assert/strict");
const { spawnSync } = require("node:child_process");

const done = spawnSync(process.execPath, ["main.js"], { input: "tea 5\ncoffee 10\nmilk 0\n", encoding: "utf8" });
assert.deepEqual(done.stdout.trimEnd().split("\n"), ["tea    |########## 5", "coffee |#################### 10", "milk   | 0"]);
