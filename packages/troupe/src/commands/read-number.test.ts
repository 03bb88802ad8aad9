import { describe, expect, it } from "vitest";
import { positiveNumber, wholeNumber } from "./read-number.ts";

describe("wholeNumber()", () => {
  it.each([
    ["1", 1],
    ["+3", 3],
    ["007", 7],
  ])("reads %s", (word, value) => expect(wholeNumber({ min: 1 })(word)).toBe(value));

  it.each(["0", "-1", "x", "", "1.5", "1e3", "0x10", "Infinity", "99999999999999999999"])("refuses %j", (word) => {
    expect(() => wholeNumber({ min: 1 })(word)).toThrow("a whole number from 1 upwards");
  });

  it("names both bounds", () => {
    expect(() => wholeNumber({ min: 1, max: 9 })("10")).toThrow("a whole number from 1 to 9");
  });
});

describe("positiveNumber()", () => {
  it.each([
    ["0.5", 0.5],
    ["2.", 2],
    [".25", 0.25],
    ["1e3", 1000],
  ])("reads %s", (word, value) => expect(positiveNumber(word)).toBe(value));

  it.each(["0", "-1", "abc", "", "NaN", "1e999", "1,5"])("refuses %j", (word) => {
    expect(() => positiveNumber(word)).toThrow("a number above 0");
  });
});
