import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { multiply, transpose } from "./matrix.ts";

// The types are stripped before the program runs, which leaves main.js or main.mjs.
const program = existsSync("main.mjs") ? "main.mjs" : "main.js";

function run(input: unknown): unknown[] {
  const done = spawnSync(process.execPath, [program], { input: JSON.stringify(input), encoding: "utf8", timeout: 10_000 });
  return [done.status, done.stdout.trim(), done.stderr.trim()];
}

assert.deepEqual(transpose([[1, 2, 3]]), [[1], [2], [3]]);
assert.deepEqual(transpose([[1, 2], [3, 4]]), [[1, 3], [2, 4]]);
assert.deepEqual(multiply([[1, 2]], [[3], [4]]), [[11]]);
assert.deepEqual(multiply([[3], [4]], [[1, 2]]), [[3, 6], [4, 8]]);
assert.deepEqual(multiply([[1, 2], [3, 4]], [[0, 1], [1, 0]]), [[2, 1], [4, 3]]);
assert.deepEqual(multiply([[1, 2, 3], [4, 5, 6]], [[1], [0], [-1]]), [[-2], [-2]]);
assert.throws(() => multiply([[1, 2]], [[3, 4]]), RangeError);
assert.throws(() => multiply([[1], [2]], [[3], [4]]), RangeError);

const a = [[1, 2], [3, 4]];
const b = [[5, 6], [7, 8]];
transpose(a);
multiply(a, b);
assert.deepEqual([a, b], [[[1, 2], [3, 4]], [[5, 6], [7, 8]]]);

assert.deepEqual(run({ op: "multiply", a: [[1, 2]], b: [[3], [4]] }), [0, "[[11]]", ""]);
assert.deepEqual(run({ op: "transpose", a: [[1, 2], [3, 4]] }), [0, "[[1,3],[2,4]]", ""]);
assert.deepEqual(run({ op: "multiply", a: [[1, 2]], b: [[3, 4]] }), [1, "", "shapes do not fit"]);
