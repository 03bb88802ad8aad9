import { getEventListeners } from "node:events";
import type { Clock } from "@troupe/schema";
import { expect, test } from "vitest";
import { createSteadyClock } from "./steady-clock.ts";
import { createVirtualClock } from "./virtual-clock.ts";

const { signal } = new AbortController();

/** A clock whose time the test sets. */
function setClock(): Clock & { time: number } {
  return {
    time: 1000,
    now() {
      return this.time;
    },
    sleep: () => Promise.resolve(),
  };
}

test("createSteadyClock() goes on from where it was when the other clock goes back", () => {
  const clock = setClock();
  const steady = createSteadyClock(clock, 0);
  expect(steady.now()).toBe(1000);
  clock.time = 1500;
  expect(steady.now()).toBe(1500);
  clock.time = 200;
  expect(steady.now()).toBe(1500);
  clock.time = 260;
  expect(steady.now()).toBe(1560);
});

test("createSteadyClock() begins no earlier than it is told", () => {
  const clock = setClock();
  const steady = createSteadyClock(clock, 5000);
  expect(steady.now()).toBe(5000);
  clock.time = 1001;
  expect(steady.now()).toBe(5001);
  expect(createSteadyClock(clock, 0).now()).toBe(1001);
});

test("createSteadyClock() counts a sleep in which the other clock goes back, and forgives a timer that wakes early", async () => {
  const clock = setClock();
  const steady = createSteadyClock(clock, 0);
  const asleep = steady.sleep(60_000, signal);
  clock.time = -3_000_000;
  await asleep;
  expect(steady.now()).toBe(61_000);
  const early = steady.sleep(60_000, signal);
  clock.time += 59_999;
  await early;
  expect(steady.now()).toBe(120_999);
});

test("createSteadyClock() hands an abort on and leaves no listener", async () => {
  const controller = new AbortController();
  const asleep = createSteadyClock(createVirtualClock(), 0).sleep(5, controller.signal);
  controller.abort(new Error("enough"));
  await expect(asleep).rejects.toThrow("enough");
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
});
