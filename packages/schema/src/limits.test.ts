import { expect, test } from "vitest";
import { type Limits, mergeLimits } from "./limits.ts";

test("mergeLimits() lets each amount win for itself", () => {
  const before: Limits = { tokens: 1, calls: 2, activation: { tokens: 3 }, agents: { a: { tokens: 4, parallel: 5 }, b: { calls: 6 } } };
  expect(
    mergeLimits(before, undefined, { calls: 7, activation: { calls: 8 }, agents: { a: { tokens: 9 } }, models: { m: { usd: 1 } } }),
  ).toEqual({
    tokens: 1,
    calls: 7,
    activation: { tokens: 3, calls: 8 },
    agents: { a: { tokens: 9, parallel: 5 }, b: { calls: 6 } },
    models: { m: { usd: 1 } },
  });
});
