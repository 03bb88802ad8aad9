const assert = require("node:assert/strict");
const { deepEqual } = require("./main.js");

const equal = [
  [1, 1],
  [0, -0],
  [Number.NaN, Number.NaN],
  ["a", "a"],
  [null, null],
  [undefined, undefined],
  [[], []],
  [{}, {}],
  [
    [1, [2, [3]]],
    [1, [2, [3]]],
  ],
  [
    { a: [1, { b: 2 }], c: null },
    { c: null, a: [1, { b: 2 }] },
  ],
  [{ a: undefined }, { a: undefined }],
  [{ a: Number.NaN }, { a: Number.NaN }],
];
const different = [
  [1, 2],
  [1, "1"],
  [0, false],
  ["", false],
  [null, undefined],
  [null, {}],
  [{}, null],
  [[], {}],
  [{}, []],
  [undefined, {}],
  [
    [1, 2],
    [1, 2, 3],
  ],
  [[undefined], []],
  [[1], { 0: 1 }],
  [{ a: 1 }, { a: 1, b: 2 }],
  [{ a: 1, b: 2 }, { a: 1 }],
  [{ a: undefined }, { b: undefined }],
  [{ a: undefined }, {}],
  [{}, { a: undefined }],
  [{ a: { b: [1, 2] } }, { a: { b: [2, 1] } }],
  [{ length: 0 }, []],
];
for (const [a, b] of equal) assert.equal(deepEqual(a, b), true, "these are equal");
for (const [a, b] of different) assert.equal(deepEqual(a, b), false, "these differ");
