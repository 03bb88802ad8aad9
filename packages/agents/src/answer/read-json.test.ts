import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readJson } from "./read-json.ts";

/** Objects without the one key that is dropped for safety. */
const objects = fc
  .dictionary(fc.string(), fc.jsonValue(), { noNullPrototype: true })
  .filter((value) => !JSON.stringify(value).includes("__proto__"));

describe("readJson()", () => {
  it.each([
    ['{"a": 1}', { a: 1 }],
    ['Sure: {"a": "}"} and more', { a: "}" }],
    ["```json\n[1, 2]\n```", [1, 2]],
    ["{'a': 1, b: true,}", { a: 1, b: true }],
    ['{"a": [1, 2', { a: [1, 2] }],
    ['See [the docs] first: {"a": null}', { a: null }],
    ['{"a": 1 /* one */}', { a: 1 }],
  ])("reads %j", (text, value) => expect(readJson(text)).toEqual(value));

  it.each([[""], ["no JSON here"], ["{name} of the file"]])("reads nothing from %j", (text) => expect(readJson(text)).toBeUndefined());

  it("reads back every JSON object, whatever stands around it", () => {
    fc.assert(
      fc.property(objects, (value) => {
        expect(readJson(`Here it is:\n${JSON.stringify(value)}\nDone.`)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});
