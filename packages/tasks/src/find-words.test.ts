import { expect, test } from "vitest";
import { findWords } from "./find-words.ts";

const text = "The DOG'S owners were throwing a frisbee, and caught it. Two ice creams later they sat on T-shirts.";

test("findWords() finds words in any inflection, whatever their case", () => {
  expect(findWords(text, ["dog", "owner", "throw", "frisbee", "catch", "sit"])).toEqual({
    found: ["dog", "owner", "throw", "frisbee", "catch", "sit"],
    missing: [],
  });
});

test("findWords() does not find a word inside another one", () => {
  expect(findWords(text, ["own", "cat", "late", "row"]).missing).toEqual(["own", "cat", "late", "row"]);
});

test("findWords() finds a word of several parts where they follow each other", () => {
  expect(findWords(text, ["ice cream", "t-shirt", "cream ice", "dog frisbee", "-"])).toEqual({
    found: ["ice cream", "t-shirt"],
    missing: ["cream ice", "dog frisbee", "-"],
  });
});
