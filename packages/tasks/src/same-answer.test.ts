import { describe, expect, test } from "vitest";
import { sameAnswer } from "./same-answer.ts";

const choices = ["a red fox", "a blue whale", "neither"];

describe("sameAnswer() with numbers", () => {
  test.each([
    ["42", "42"],
    [" 42. ", "42"],
    ["1,200.0", "1200"],
    ["1200", "1,200"],
    ["$3.50", "3.5"],
    ["50 %", "50"],
    ["42 apples", "42"],
    ["6e3", "6000"],
    ["There are 6 boxes of 7.\nThe answer is 42.", "42"],
    ["6 * 7 = 42\n#### 42", "42"],
    ["so \\boxed{42} it is", "42"],
    ["**Answer: 42**", "42"],
    ["We get it.\n**Final Answer:** 42\nDone.", "42"],
    ["We get\n42", "42"],
  ])("%j is %j", (given, expected) => expect(sameAnswer(given, expected)).toBe(true));

  test.each([
    ["41", "42"],
    ["-42", "42"],
    ["4 2", "42"],
    ["forty-two", "42"],
    ["", "42"],
    ["42 or 43", "42"],
    ["The answer is 41, not\n42", "42"],
    ["1,2", "12"],
  ])("%j is not %j", (given, expected) => expect(sameAnswer(given, expected)).toBe(false));
});

describe("sameAnswer() with choices", () => {
  test.each([
    ["B", "B"],
    ["(b)", "B"],
    ["B.", "B"],
    ["B) a blue whale", "B"],
    ["A blue whale.", "B"],
    ["Answer: B", "a blue whale"],
    ["First A, but then:\nthe answer is (B).", "B"],
  ])("%j is %j", (given, expected) => expect(sameAnswer(given, expected, choices)).toBe(true));

  test.each([
    ["A", "B"],
    ["D", "D"],
    ["", "B"],
    ["blue", "B"],
    ["A or B", "B"],
  ])("%j is not %j", (given, expected) => expect(sameAnswer(given, expected, choices)).toBe(false));

  test("options that differ only in case are told apart", () => {
    const cased = ["Spx", "SPx", "c"];
    expect(cased.map((option) => sameAnswer(option, "SPx", cased))).toEqual([false, true, false]);
    expect(sameAnswer("c", "c", cased)).toBe(true);
  });

  test("a single letter is a choice also when the options are not known", () => {
    expect(sameAnswer("(C)", "c")).toBe(true);
    expect(sameAnswer("C: because of it", "C")).toBe(true);
    expect(sameAnswer("D", "C")).toBe(false);
  });
});

describe("sameAnswer() with texts", () => {
  test("white space, case, quotes and a full stop do not matter", () => {
    expect(sameAnswer('  "New\n York". ', "new york")).toBe(true);
    expect(sameAnswer("New Jersey", "new york")).toBe(false);
  });
});
