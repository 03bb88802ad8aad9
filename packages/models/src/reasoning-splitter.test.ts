import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createReasoningSplitter } from "./reasoning-splitter.ts";

function split(pieces: readonly string[]) {
  const told: string[] = [];
  const splitter = createReasoningSplitter((piece) => told.push(piece));
  for (const piece of pieces) splitter.push(piece);
  return { ...splitter.end(), told: told.join("") };
}

describe("createReasoningSplitter()", () => {
  it.each([
    ["plain text", "a < b", "a < b", ""],
    ["reasoning first", "<think>hm</think>\n\nYes", "Yes", "hm"],
    ["space before the tag", "\n <thinking>hm</thinking> Yes", "Yes", "hm"],
    ["two blocks", "<think>a</think><think>b</think>Yes", "Yes", "ab"],
    ["no opening tag", "so, hm</think>\nYes", "Yes", "so, hm"],
    ["no end", "<think>for ever", "", "for ever"],
    ["nothing but reasoning", "<think>hm</think>", "", "hm"],
    ["an empty block", "<think>\n</think>\n\nYes", "Yes", ""],
    ["a tag inside the answer", "Write `<think>` first", "Write `<think>` first", ""],
    ["half a tag at the end", "<thi", "<thi", ""],
    ["only space", "  ", "  ", ""],
    ["nothing", "", "", ""],
  ])("knows %s", (_, whole, text, reasoning) => {
    expect(split([whole])).toMatchObject({ text, reasoning });
  });

  it("does not depend on how the text is cut", () => {
    const piece = fc.constantFrom("<think>", "</think>", "<", "think", ">", "a", " ", "\n", "</", "ing");
    fc.assert(
      fc.property(fc.array(piece), fc.array(fc.nat(6)), (parts, cuts) => {
        const whole = parts.join("");
        const pieces: string[] = [];
        let at = 0;
        for (const cut of cuts) {
          pieces.push(whole.slice(at, at + cut));
          at += cut;
        }
        pieces.push(whole.slice(at));
        const { text, reasoning } = split(pieces);
        expect({ text, reasoning }).toEqual({ text: split([whole]).text, reasoning: split([whole]).reasoning });
      }),
    );
  });

  it("tells the listener nothing of tagged reasoning", () => {
    expect(split(["<th", "ink>secret</th", "ink> ", "\nYes", " no"]).told).toBe("Yes no");
  });
});
