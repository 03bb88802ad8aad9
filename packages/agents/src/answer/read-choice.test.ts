import { describe, expect, it } from "vitest";
import { readChoice } from "./read-choice.ts";

const words = ["red apple", "green pear", "blue plum"];
const letters = ["A", "B", "C"];

describe("readChoice()", () => {
  it.each([
    ["Answer: B", "green pear"],
    ["Let me think. A is wrong, C too.\n**Answer: (B)**", "green pear"],
    ["The answer is B.", "green pear"],
    ["The answer would be: green pear", "green pear"],
    ["\\boxed{C}", "blue plum"],
    ["\\boxed{\\text{B}} is what I get", "green pear"],
    ["B", "green pear"],
    ["b)", "green pear"],
    ["B) green pear", "green pear"],
    ["Answer: <B>", "green pear"],
    ["Answer: <B) green pear>", "green pear"],
    ["Green Pear.", "green pear"],
    ['{"answer": "C"}', "blue plum"],
    ["It must be the blue plum because of its colour.", "blue plum"],
    ["Answer: A\nWait, no.\nAnswer: C", "blue plum"],
  ])("reads %j", (answer, choice) => expect(readChoice(answer, words)?.choice).toBe(choice));

  it.each([
    ["Answer: C", "a, b, and c"],
    ["Answer: c", "a, b, and c"],
    ["D) c", "c"],
    ["none", "none"],
  ])("reads %j as a letter where options are letters among others", (answer, choice) =>
    expect(readChoice(answer, ["none", "a and c", "a, b, and c", "c"])?.choice).toBe(choice),
  );

  it.each([
    ["Answer: -2.5", "-2.5"],
    ["Answer - B", "2.5"],
    ["2.5", "2.5"],
    ["Answer: 3", "3"],
  ])("tells options apart that differ in a sign: %j", (answer, choice) =>
    expect(readChoice(answer, ["-2.5", "2.5", "3"])?.choice).toBe(choice),
  );

  it.each([
    ["Plums are blue.\n\n**Answer: C**", "Plums are blue."],
    ["Answer: C", ""],
    ["The answer is C because plums are blue.\nSo C.", "The answer is C because plums are blue.\nSo C."],
  ])("gives the reason of %j without the line that only answers", (answer, reason) =>
    expect(readChoice(answer, words)?.reason).toBe(reason),
  );

  it("takes letters as they are", () => expect(readChoice("Answer: c", letters)?.choice).toBe("C"));

  it.each([[""], ["I don't know."], ["Either the red apple or the green pear."], ["Answer: Z"], ["a pear, perhaps"]])(
    "reads nothing from %j",
    (answer) => expect(readChoice(answer, words)).toBeUndefined(),
  );

  it("takes free text when there are no options", () => expect(readChoice("So.\nAnswer: 42", undefined)?.choice).toBe("42"));
});
