import { TroupeError } from "@troupe/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { retryDelaySeconds } from "./retry-delay.ts";

const busy = new TroupeError("model_failed", "x");

test("retryDelaySeconds() doubles up to 30 seconds, spread over its upper half, the same for the same place", () => {
  const places = fc.record({
    seed: fc.nat(),
    activation: fc.nat(),
    attempt: fc.integer({ min: 1, max: 20 }),
    failures: fc.nat({ max: 20 }),
  });
  fc.assert(
    fc.property(places, (place) => {
      const full = Math.min(30, 0.5 * 2 ** place.failures);
      const delay = retryDelaySeconds(busy, place);
      expect(delay).toBeGreaterThanOrEqual(full / 2);
      expect(delay).toBeLessThanOrEqual(full);
      expect(retryDelaySeconds(busy, place)).toBe(delay);
    }),
  );
  const spread = new Set(
    Array.from({ length: 50 }, (_, activation) => retryDelaySeconds(busy, { seed: 1, activation, attempt: 1, failures: 0 })),
  );
  expect(spread.size).toBe(50);
});

test("retryDelaySeconds() does what the other side asks for, up to an hour", () => {
  const place = { seed: 1, activation: 0, attempt: 1, failures: 0 };
  const asking = (retryAfterSeconds: number) => new TroupeError("model_rate_limited", "x", { retryAfterSeconds });
  expect([0, 45, 1e9].map((seconds) => retryDelaySeconds(asking(seconds), place))).toEqual([0, 45, 3600]);
  expect(retryDelaySeconds(asking(-1), place)).toBeLessThanOrEqual(0.5);
});
