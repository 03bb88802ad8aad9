import assert from "node:assert/strict";
import { parseQuery } from "./main.ts";

const cases: [string, Record<string, string[]>][] = [
  ["", {}],
  ["?", {}],
  ["a=1", { a: ["1"] }],
  ["?q=a+b&tag=x&tag=y", { q: ["a b"], tag: ["x", "y"] }],
  ["flag&f=a=b", { flag: [""], f: ["a=b"] }],
  ["a=&b", { a: [""], b: [""] }],
  ["&&a=1&&b=2&", { a: ["1"], b: ["2"] }],
  ["a=1&b=2&a=3", { a: ["1", "3"], b: ["2"] }],
  ["x=%26%3D%2B&caf%C3%A9=%E2%82%AC", { x: ["&=+"], café: ["€"] }],
  ["my+key=1%2B1", { "my key": ["1+1"] }],
  ["a=?", { a: ["?"] }],
];
for (const [query, parsed] of cases) assert.deepEqual({ ...parseQuery(query) }, parsed, `parseQuery(${JSON.stringify(query)})`);
