import { describe, expect, it } from "vitest";
import { count, duration, money, plural, size } from "./words.ts";

describe("count()", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1000, "1k"],
    [12_345, "12.3k"],
    [123_456, "123k"],
    [999_499, "999k"],
    [999_500, "1M"],
    [4_560_000, "4.56M"],
  ])("%d is %s", (value, text) => expect(count(value)).toBe(text));
});

describe("duration()", () => {
  it.each([
    [0, "0.0 s"],
    [9.94, "9.9 s"],
    [9.96, "10 s"],
    [59.4, "59 s"],
    [59.6, "1:00"],
    [125, "2:05"],
    [3725, "1:02:05"],
  ])("%d seconds are %s", (seconds, text) => expect(duration(seconds)).toBe(text));
});

describe("money()", () => {
  it.each([
    [0, "$0"],
    [0.00001, "<$0.0001"],
    [0.0123, "$0.0123"],
    [1.5, "$1.50"],
  ])("%d is %s", (usd, text) => expect(money(usd)).toBe(text));
});

describe("size()", () => {
  it.each([
    [1, "1 byte"],
    [999, "999 bytes"],
    [12_345, "12.3 kB"],
    [2_000_000, "2.0 MB"],
  ])("%d is %s", (bytes, text) => expect(size(bytes)).toBe(text));
});

describe("plural()", () => {
  it("counts", () => expect([plural(1, "file"), plural(0, "file"), plural(1200, "call")]).toEqual(["1 file", "0 files", "1.2k calls"]));
});
