import { describe, expect, it } from "vitest";
import { answerKey, answersIn, numberOf, plainAnswer } from "./normal-answer.ts";

const key = (text: string) => answerKey({ kind: "text", text });

describe("answerKey()", () => {
  it.each([
    ["So the answer is 1,200.0", "1200"],
    ["**Answer:** 4", "4"],
    ["Answer**: 4.", "4"],
    ["answer ** 4", "4"],
    ["\\boxed{17} and so on", "17"],
    ["#### 5 %", "5"],
    ["It is `Paris`.", "it is `paris"],
    ["first\n'Paris'", "paris"],
    ["12 apples", "12"],
    ["1.5e3", "1500"],
    ["1.", "1"],
    [".5", "0.5"],
    ["1 2", "1 2"],
    ["", ""],
  ])("of %j is %j", (text, expected) => {
    expect(key(text)).toBe(expected);
  });

  // Half a megabyte of anything: a pattern that looks at it from each of its places would take hours.
  const long = 500_000;
  it.each([
    ["marks around nothing", `x${"*".repeat(long)}x`],
    ["marks after the marker", `answer${"*".repeat(long)}x`],
    ["digits that are no number", `${"1".repeat(long)}!`],
    ["digits, then words", `${"1".repeat(long)} ${"a".repeat(long)}!`],
    ["an exponent without end", `1e${"1".repeat(long)}!`],
    ["groups of digits", `${"1,111".repeat(long / 5)}!`],
    ["many markers", "answer ".repeat(long / 7)],
    ["spaces after the marker", `answer${" ".repeat(long)}:x`],
    ["braces", `\\boxed{${"}".repeat(long)}\u2028x`],
    ["hashes", `${"#".repeat(long)}x`],
    ["blank", " ".repeat(long)],
    ["letters", "e".repeat(long)],
  ])("of a megabyte of %s is found in a moment", (_name, text) => {
    expect(typeof key(text)).toBe("string");
    expect(answersIn(text)[0]).toBe(text.trim());
    expect(plainAnswer(text).length).toBeLessThanOrEqual(text.length);
    expect(numberOf(text) ?? 0).not.toBeNaN();
  });
});
