import type { LiveDelta, RunEvent, WatchedEvent } from "@troupe/schema";
import { noUsage } from "@troupe/schema";
import { expect, test } from "vitest";
import { Watchers } from "./watchers.ts";

const delta = (activation: number, text: string): LiveDelta => ({ kind: "call.delta", activation, text });
const began = (seq: number): RunEvent => ({ kind: "activation.began", activation: seq, attempt: 1, seq, at: 0 });
const ended: RunEvent = { kind: "run.ended", outcome: { kind: "cancelled", reason: "x" }, usage: noUsage, seconds: 0, seq: 9, at: 0 };

/** A watcher that has begun to watch and reads nothing more until it is asked for the rest. */
async function slow(watchers: Watchers) {
  const watching = watchers.watch();
  const first = watching.next();
  watchers.publish(began(0));
  await first;
  return async (): Promise<WatchedEvent[]> => {
    const rest: WatchedEvent[] = [];
    for await (const event of watching) rest.push(event);
    return rest;
  };
}

test("Watchers merge the deltas that a slow watcher has not read", async () => {
  const watchers = new Watchers(() => []);
  const rest = await slow(watchers);
  for (const text of ["a", "b", "c"]) watchers.delta(delta(1, text));
  watchers.delta(delta(2, "d"));
  watchers.publish(began(1));
  watchers.delta(delta(2, "e"));
  watchers.publish(ended);
  expect(await rest()).toEqual([delta(1, "abc"), delta(2, "d"), began(1), delta(2, "e"), ended]);
});

test("Watchers drop deltas rather than fill the memory, and never a logged event", async () => {
  const watchers = new Watchers(() => []);
  const rest = await slow(watchers);
  for (let i = 0; i < 5000; i++) {
    watchers.delta(delta(i, "x".repeat(100)));
    watchers.publish(began(i));
  }
  watchers.publish(ended);
  const seen = await rest();
  const characters = seen.reduce((sum, event) => sum + (event.kind === "call.delta" ? event.text.length : 0), 0);
  expect(characters).toBeGreaterThan(30_000);
  expect(characters).toBeLessThanOrEqual(65_536);
  expect(seen.filter((event) => event.kind === "activation.began")).toHaveLength(5000);
});

test("Watchers give deltas again to a watcher that has caught up", async () => {
  const watchers = new Watchers(() => []);
  const watching = watchers.watch();
  const next = async (): Promise<WatchedEvent | undefined> => (await watching.next()).value ?? undefined;
  for (let i = 0; i < 10; i++) {
    const arriving = next();
    watchers.delta(delta(1, "y".repeat(60_000)));
    expect(await arriving).toMatchObject({ kind: "call.delta" });
  }
  await watching.return();
});
