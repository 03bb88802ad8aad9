import { expect, test } from "vitest";
import { Alarms } from "./alarms.ts";
import { createVirtualClock } from "./virtual-clock.ts";

test("Alarms ring in the order of their times, with one sleep of the clock", async () => {
  const clock = createVirtualClock();
  const alarms = new Alarms(clock);
  const rang: string[] = [];
  for (const at of [30, 10, 20, 10]) alarms.set(at, () => rang.push(`${at} at ${clock.now()}`));
  expect(clock.sleepers).toBe(1);
  await clock.advance(25);
  expect(rang).toEqual(["10 at 10", "10 at 10", "20 at 20"]);
  await clock.advance(25);
  expect(rang).toHaveLength(4);
  expect(clock.sleepers).toBe(0);
});

test("Alarms can be set by a ringing alarm", async () => {
  const clock = createVirtualClock();
  const alarms = new Alarms(clock);
  const rang: number[] = [];
  alarms.set(5, () => alarms.set(6, () => rang.push(clock.now())));
  await clock.advance(10);
  expect(rang).toEqual([6]);
});

test("Alarms leave no timer behind when closed", async () => {
  const clock = createVirtualClock();
  const alarms = new Alarms(clock);
  alarms.set(5, () => expect.unreachable());
  alarms.close();
  alarms.set(6, () => expect.unreachable());
  expect(clock.sleepers).toBe(0);
  await clock.advance(10);
});

test("Alarms wait longer than a timer of Node can", async () => {
  const clock = createVirtualClock();
  const alarms = new Alarms(clock);
  const rang: number[] = [];
  alarms.set(2 ** 33, () => rang.push(clock.now()));
  await clock.advance(2 ** 32);
  expect(rang).toEqual([]);
  await clock.advance(2 ** 32);
  expect(rang).toEqual([2 ** 33]);
});
