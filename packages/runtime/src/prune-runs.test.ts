import { createMemoryStore } from "@troupe/engine";
import { leaseMilliseconds, type RunStore } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { runEnded, runStarted } from "../../../test/support/run-events.ts";
import { pruneRuns } from "./prune-runs.ts";

const day = 24 * 60 * 60 * 1000;
const now = 1000 * day;

/** Runs that were started so many days ago, oldest first, named after it; those with a minus have no end. */
function storeWith(...ages: readonly number[]): RunStore {
  const store = createMemoryStore();
  for (const age of ages) {
    const run = `day${Math.abs(age)}`;
    store.append(run, [runStarted(run), ...(age < 0 ? [] : [runEnded()])], now - Math.abs(age) * day);
  }
  return store;
}

const names = (store: RunStore): string[] => store.list(99).map(({ run }) => run);

describe("pruneRuns()", () => {
  it.each([
    [{ keep: 2 }, ["day5", "day10"]],
    [{ olderThan: 10 * day }, ["day5"]],
    [{ keep: 1, olderThan: 30 * day }, ["day5", "day10"]],
    [{ keep: 3, olderThan: 1 }, ["day5", "day10", "day40"]],
    [{ keep: 0 }, []],
  ])("leaves by %j what it has to", (options, left) => {
    const store = storeWith(40, 10, 5);
    const { pruned, removed } = pruneRuns(store, { dryRun: false, now, ...options });
    expect(names(store)).toEqual(left);
    expect(pruned).toHaveLength(3 - left.length);
    expect(removed.runs).toBe(3 - left.length);
  });

  it("changes nothing when it is only tried", () => {
    const store = storeWith(40, 10);
    const { pruned, removed, file } = pruneRuns(store, { keep: 0, dryRun: true, now });
    expect([pruned.length, removed.events, file, names(store).length]).toEqual([2, 4, undefined, 2]);
  });

  it("spares a run that somebody works on, and one of today that has no end", () => {
    const store = storeWith(40, -30, -0.5, 0.2);
    store.acquire("day40", now - 1);
    const { spared } = pruneRuns(store, { keep: 0, dryRun: false, now });
    expect(spared).toEqual([
      { run: "day0.5", why: "not ended" },
      { run: "day40", why: "running" },
    ]);
    expect(names(store)).toEqual(["day0.5", "day40"]);
    pruneRuns(store, { keep: 0, dryRun: false, now: now + leaseMilliseconds });
    expect(names(store)).toEqual(["day0.5"]);
  });

  it("spares a run that somebody goes on with in the very moment", () => {
    const store = storeWith(40, 10);
    let looked = 0;
    const racing: RunStore = {
      ...store,
      holder: (run, at) => {
        const holder = store.holder(run, at);
        if (++looked === 2) store.acquire("day40", at);
        return holder;
      },
    };
    const { spared, pruned } = pruneRuns(racing, { keep: 0, dryRun: false, now });
    expect(spared).toEqual([{ run: "day40", why: "running" }]);
    expect(pruned.map(({ run }) => run)).toEqual(["day10"]);
  });

  it("refuses to prune everything without being told so", () => {
    expect(() => pruneRuns(storeWith(1), { dryRun: false, now })).toThrow(expect.objectContaining({ code: "call_invalid" }));
  });
});
