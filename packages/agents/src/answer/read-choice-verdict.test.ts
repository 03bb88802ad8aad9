import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readChoiceVerdict } from "./read-choice-verdict.ts";

const choices = ["red apple", "green pear", "blue plum"];
const read = (text: string, judged = "green pear") => readChoiceVerdict(text, judged, choices);

describe("readChoiceVerdict()", () => {
  it.each([
    "ACCEPT",
    "It is green, however it must be a fruit, and it could be blue.\n**ACCEPT**",
    "Plums are blue.\nPears are green.\nVerdict: accept.",
    "Step 1: green.\nAnswer: B",
    "REVISE: B, because the reasons are thin.",
    "REVISE: <B>, because the reasons are thin.",
    '{"verdict": "accept", "critique": ""}',
  ])("accepts on %j", (text) => expect(read(text)?.verdict).toBe("accept"));

  it.each([
    ["REVISE: C, because plums are blue.", "C, because plums are blue."],
    ["Plums are blue.\nREVISE: C, because it asks for blue.", "C, because it asks for blue.\n\nPlums are blue."],
    ["**REVISE**\nIt asks for blue.", "It asks for blue."],
    ["ACCEPT\nNo, wait.\nREVISE: C, because it asks for blue.", "C, because it asks for blue.\n\nACCEPT\nNo, wait."],
    ["It asks for blue.\nAnswer: C", "It asks for blue.\nAnswer: C"],
    ['{"verdict": "revise", "critique": "blue"}', "blue"],
  ])("revises on %j", (text, critique) => expect(read(text)).toEqual({ verdict: "revise", critique }));

  it("reads nothing from nothing, and no critique from a bare word", () => {
    expect(read(" ")).toBeUndefined();
    expect(read("REVISE")).toEqual({ verdict: "revise", critique: "" });
  });

  it("reads answers about a question without options", () => {
    expect(readChoiceVerdict("So it is 7.\nREVISE: 7, because 3 + 4 is 7.", "8", undefined)?.verdict).toBe("revise");
    expect(readChoiceVerdict("So it is 8.\nACCEPT", "8", undefined)?.verdict).toBe("accept");
  });

  it("never throws", () => {
    const piece = fc.oneof(fc.constantFrom("ACCEPT", "REVISE:", "Answer: ", "B", "\n", "{"), fc.string());
    fc.assert(fc.property(fc.array(piece), (pieces) => ["accept", "revise", undefined].includes(read(pieces.join(""))?.verdict)));
  });
});
