import { errorCodes } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { describeOutcome } from "./describe-outcome.ts";

describe("describeOutcome()", () => {
  const artifact = { hash: "ab".repeat(32), kind: "text" as const, bytes: 1 };
  const error = { code: "model_unreachable", message: "Nobody answers. Start the server or mend the URL.", retryable: true };
  it.each([
    [undefined, "It was interrupted, and nobody works on it.", "troupe resume R"],
    [{ kind: "completed", artifact }, "completed", "troupe show R --transcript"],
    [
      { kind: "failed", error },
      "Nobody answers. Start the server or mend the URL. [model_unreachable]",
      "Then go on with it: troupe resume R",
    ],
    [{ kind: "failed", error: { ...error, code: "odd" } }, "[odd]", "troupe resume R"],
    [{ kind: "failed", error: { ...error, code: "run_lost" } }, "[run_lost]", "Look at it: troupe show R"],
    [{ kind: "deadlocked", waiting: ["2 waits", "3 waits"] }, "2 waits; 3 waits", "troupe show R --log"],
    [{ kind: "cancelled", reason: "interrupted by Ctrl-C" }, "was interrupted by Ctrl-C.", "troupe resume R"],
    [{ kind: "cancelled", reason: "enough" }, "was interrupted: enough.", "troupe resume R"],
    [{ kind: "exhausted", limit: "tokens", allowed: 2000, used: 1900 }, "limit of 2k tokens", "--limit-tokens 4000"],
    [{ kind: "exhausted", limit: "seconds", allowed: 60, used: 61 }, "limit of 1:00", "--limit-seconds 120"],
    [
      { kind: "exhausted", limit: "tokens", of: "agent it's me", allowed: 2000, used: 1900 },
      "limit of 2k tokens of agent it's me",
      `troupe resume R --limits '{"agents":{"it'\\''s me":{"tokens":4000}}}'`,
    ],
    [{ kind: "exhausted", limit: "usd", allowed: 0.015, used: 0.1 }, "limit of $0.0150", "--limit-usd 0.15"],
  ] as const)("says of %j what happened and what to do", (outcome, what, next) => {
    const words = describeOutcome(outcome as Parameters<typeof describeOutcome>[0], "R");
    expect(words.what).toContain(what);
    expect(words.next).toContain(next);
  });

  it.each(Object.entries(errorCodes))("leaves what to do about %s to its message, which says it already", (code, { help }) => {
    const failed = { kind: "failed", error: { ...error, code, message: `It happened. ${help}` } } as const;
    const { what, next } = describeOutcome(failed, "R");
    // Nobody who throws a fault knows what to do about it.
    expect(`${what} ${next}`.split(help)).toHaveLength(code === "internal" ? 3 : 2);
    expect(next).toMatch(/troupe (resume|show) R$/);
  });

  it("repeats the words that find the run again", () => {
    const words = { show: "--db x.db", resume: "--db x.db --sandbox wasm" };
    expect(describeOutcome(undefined, "R", words).next).toContain("troupe resume R --db x.db --sandbox wasm");
    expect(describeOutcome({ kind: "completed", artifact }, "R", words).next).toMatch(/troupe show R --transcript --db x.db$/);
  });
});
