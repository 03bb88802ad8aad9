import { describe, expect, it } from "vitest";
import { quotesTask } from "./quotes-task.ts";

const task = "Write `main.py`. It prints one line for every item:\n`NUMBER [ ] TEXT`, or `NUMBER [x] TEXT` when it is done.";

describe("quotesTask()", () => {
  it.each([
    ['"It prints one line for every item": it prints two.'],
    ["“prints one line for every item: `NUMBER [ ] TEXT`” is broken"],
    ["The program breaks 'one  line for every ITEM, number' in list()."],
    ["`TEXT, or NUMBER [x] TEXT when it is done` is not done"],
  ])("finds the words of the task in %j", (critique) => expect(quotesTask(critique, task)).toBe(true));

  it.each([
    ["The `list` function does not handle an empty list."],
    ['"one line for every": too short to say anything'],
    ['"It should validate every single input": nowhere in the task'],
    ["It prints one line for every item, without quotes"],
    ['"prints one line for every items" is another word'],
    [""],
  ])("finds none in %j", (critique) => expect(quotesTask(critique, task)).toBe(false));
});
