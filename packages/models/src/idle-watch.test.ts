import type { Clock } from "@troupe/schema";
import { expect, it } from "vitest";
import { watchIdle } from "./idle-watch.ts";

/** A clock that sleeps by moving, and that goes back an hour in the sleep with this number. */
function jumpingClock(jumps: number): Clock & { slept: number } {
  let now = 1_000_000;
  let sleeps = 0;
  return {
    slept: 0,
    now: () => now,
    async sleep(milliseconds, signal) {
      await Promise.resolve();
      signal.throwIfAborted();
      now += milliseconds;
      this.slept += milliseconds;
      if (++sleeps === jumps) now -= 3_600_000;
    },
  };
}

it.each([0, 1, 2])("watchIdle() calls back after at most twice the time when the clock goes back in sleep %d", async (jumps) => {
  const clock = jumpingClock(jumps);
  await new Promise<void>((resolve) => watchIdle(clock, 5000, resolve));
  expect(clock.slept).toBe(jumps === 1 ? 10_000 : 5000);
});
