import { describe, expect, it } from "vitest";
import { limitsOf } from "./limits-of.ts";
import { readLimits } from "./read-limits.ts";

describe("readLimits()", () => {
  it("reads limits of agents, models and activations", async () => {
    const value = { agents: { reviewer: { tokens: 8000, parallel: 1 } }, models: { small: { calls: 5 } }, activation: { usd: 0.1 } };
    expect(await readLimits(JSON.stringify(value))).toEqual(value);
  });

  it.each([
    ["tokens=5", "it must be JSON"],
    ["5", "it is no limits: "],
    ['{"agents":{"a":{"tokens":0}}}', "it is no limits at agents.a.tokens: "],
    ['{"agents":{"a":{"token":1}}}', "token"],
  ])("refuses %j", (word, message) => expect(readLimits(word)).rejects.toThrow(message));
});

it("limitsOf() lets the flag of one limit win over that of all", async () => {
  const limits = await readLimits('{"tokens":5,"calls":6,"agents":{"a":{"tokens":1}}}');
  expect(limitsOf({ limits, limitTokens: 7 })).toEqual({ tokens: 7, calls: 6, agents: { a: { tokens: 1 } } });
});
