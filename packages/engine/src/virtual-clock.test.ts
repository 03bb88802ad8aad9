import { expect, test } from "vitest";
import { createVirtualClock } from "./virtual-clock.ts";

const never = new AbortController().signal;

test("createVirtualClock() moves only when told, through its sleepers in order", async () => {
  const clock = createVirtualClock(100);
  const woke: string[] = [];
  const nap = async (name: string, milliseconds: number): Promise<void> => {
    await clock.sleep(milliseconds, never);
    woke.push(`${name} ${clock.now()}`);
    if (name === "a") await nap("then", 5);
  };
  const all = Promise.all([nap("b", 20), nap("a", 10), nap("c", 20)]);
  expect(clock.now()).toBe(100);
  await clock.advance(10);
  expect(woke).toEqual(["a 110"]);
  await clock.runUntil(all);
  expect(woke).toEqual(["a 110", "then 115", "b 120", "c 120"]);
});

test("createVirtualClock() lets a sleeper go when its signal is aborted", async () => {
  const clock = createVirtualClock();
  const user = new AbortController();
  const sleeping = clock.sleep(10, user.signal);
  user.abort(new Error("enough"));
  await expect(sleeping).rejects.toThrow("enough");
  await expect(clock.sleep(10, user.signal)).rejects.toThrow("enough");
  expect(clock.sleepers).toBe(0);
  await clock.advance(20);
  expect(clock.now()).toBe(20);
});

test("createVirtualClock() hands on how the promise settles", async () => {
  const clock = createVirtualClock();
  const failing = clock.sleep(5, never).then(() => Promise.reject(new Error("late")));
  await expect(clock.runUntil(failing)).rejects.toThrow("late");
});
