import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxCritique, readVerdict } from "./read-verdict.ts";

const accepted: string[] = [
  "ACCEPT",
  "Accept.",
  "**ACCEPT**",
  "ACCEPTED",
  "Verdict: ACCEPT",
  "**Verdict:** accept\nThe program handles errors and missing files.",
  "ACCEPT. The program is complete and handles errors.",
  "LGTM",
  "No changes are needed.",
  "The program does everything the task asks. No further changes needed.",
  '{"verdict": "accept", "critique": ""}',
  'Here is my review:\n```json\n{"verdict": "accept", "critique": "could be nicer"}\n```',
  '{"accept": true}',
  "{'verdict': 'ACCEPT', 'critique': 'fine',}",
];

const revised: [string, string][] = [
  ["REVISE: add is missing.", "add is missing."],
  ["REVISE\nadd is missing.", "add is missing."],
  ["**REVISE:** add is missing.", "add is missing."],
  ["Verdict: REVISE\nadd is missing.", "add is missing."],
  ['{"verdict": "revise", "critique": "add is missing."}', "add is missing."],
  ['{"verdict": "needs work", "feedback": ["add is missing.", "sub too."]}', "add is missing.\nsub too."],
  ['{"accepted": false, "comment": "add is missing."}', "add is missing."],
  ["The function add is missing.", "The function add is missing."],
  ["ACCEPT, but add should also check its arguments.", "ACCEPT, but add should also check its arguments."],
  ["Looks good. However, add does not check its arguments.", "Looks good. However, add does not check its arguments."],
];

describe("readVerdict()", () => {
  it.each(accepted)("accepts on %j", (answer) => expect(readVerdict(answer)?.verdict).toBe("accept"));

  it.each(revised)("revises on %j", (answer, critique) => expect(readVerdict(answer)).toEqual({ verdict: "revise", critique }));

  it("reads nothing from nothing", () => {
    expect(readVerdict("")).toBeUndefined();
    expect(readVerdict(" \n")).toBeUndefined();
  });

  it("keeps a critique short", () => {
    const critique = readVerdict(`REVISE: ${"This is wrong. ".repeat(500)}`)?.critique ?? "";
    expect(critique.length).toBeLessThanOrEqual(maxCritique + 4);
    expect(critique).toMatch(/wrong\. \[…\]$/);
  });

  it("never throws", () => {
    const piece = fc.oneof(fc.constantFrom("ACCEPT", "REVISE:", "{", "}", '"verdict"', ":", "[", "\n", "but "), fc.string());
    fc.assert(fc.property(fc.array(piece), (pieces) => ["accept", "revise", undefined].includes(readVerdict(pieces.join(""))?.verdict)));
  });
});
