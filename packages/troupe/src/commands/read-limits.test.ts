import { describe, expect, it } from "vitest";
import { limitsOf } from "./limits-of.ts";
import { readLimits } from "./read-limits.ts";

describe("readLimits() and limitsOf()", () => {
  it("read limits of agents, models and activations", () => {
    const value = { agents: { reviewer: { tokens: 8000, parallel: 1 } }, models: { small: { calls: 5 } }, activation: { usd: 0.1 } };
    expect(limitsOf({ limits: readLimits(JSON.stringify(value)) })).toEqual(value);
  });

  it("refuse what is no JSON", () => expect(() => readLimits("tokens=5")).toThrow("it must be JSON"));

  it.each([
    ["5", "--limits holds no limits: "],
    ['{"agents":{"a":{"tokens":0}}}', "--limits holds no limits at agents.a.tokens: "],
    ['{"agents":{"a":{"token":1}}}', "token"],
  ])("refuse %j in plain words", (word, message) => {
    expect(() => limitsOf({ limits: readLimits(word) })).toThrow(
      expect.objectContaining({ code: "call_invalid", message: expect.stringContaining(message) }) as Error,
    );
  });

  it("let the flag of one limit win over that of all", () => {
    const limits = readLimits('{"tokens":5,"calls":6,"agents":{"a":{"tokens":1}}}');
    expect(limitsOf({ limits, limitTokens: 7 })).toEqual({ tokens: 7, calls: 6, agents: { a: { tokens: 1 } } });
  });
});
