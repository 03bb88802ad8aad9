import { type Artifact, isTroupeError, leaseMilliseconds, type RunStore } from "@troupe/schema";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";
import { activationEvents, callSettled, runEnded, runStarted } from "./run-events.ts";

/**
 * Tests that every {@link RunStore} must pass.
 *
 * @param name how the store is called in the report.
 * @param create makes a new, empty store.
 */
export function runStoreContract(name: string, create: () => RunStore): void {
  const open: RunStore[] = [];
  const fresh = (): RunStore => {
    const store = create();
    open.push(store);
    return store;
  };
  afterEach(() => {
    for (const store of open.splice(0)) store.close();
  });

  describe(`${name} log`, () => logContract(fresh));
  describe(`${name} list`, () => listContract(fresh));
  describe(`${name} resolve()`, () => resolveContract(fresh));
  describe(`${name} artifacts`, () => artifactContract(fresh));
  describe(`${name} leases`, () => leaseContract(fresh));
  describe(`${name} retention`, () => retentionContract(fresh));
}

function logContract(fresh: () => RunStore): void {
  it("append() numbers events densely from 0 and events() gives them back", () => {
    const store = fresh();
    const first = store.append("one", [runStarted("one"), callSettled()], 10);
    const second = store.append("one", [runEnded()], 20);
    expect([...first, ...second].map(({ seq, at, kind }) => [seq, at, kind])).toEqual([
      [0, 10, "run.started"],
      [1, 10, "call.settled"],
      [2, 20, "run.ended"],
    ]);
    expect(store.events("one")).toEqual([...first, ...second]);
  });

  it("append() keeps the logs of runs apart", () => {
    const store = fresh();
    store.append("one", [runStarted("one")], 1);
    store.append("two", [runStarted("two"), callSettled()], 2);
    store.append("one", [runEnded()], 3);
    expect(store.events("one").map(({ kind }) => kind)).toEqual(["run.started", "run.ended"]);
    expect(store.events("two").map(({ seq }) => seq)).toEqual([0, 1]);
  });

  it("append() keeps nothing when another has written to the log since", () => {
    const store = fresh();
    store.append("one", [runStarted("one")], 1, { next: 0 });
    store.append("one", [callSettled()], 2, { next: 1 });
    expect(() => store.append("one", [callSettled(), runEnded()], 3, { next: 1 })).toThrow(
      expect.objectContaining({ code: "store_locked" }),
    );
    expect(store.events("one")).toHaveLength(2);
    expect(store.append("one", [runEnded()], 4, { next: 2 })).toMatchObject([{ seq: 2 }]);
  });

  it("append() of nothing changes nothing", () => {
    const store = fresh();
    expect(store.append("one", [], 1)).toEqual([]);
    expect(store.list(10)).toEqual([]);
  });

  it("append() refuses a log that does not begin with run.started, and keeps none of it", () => {
    const store = fresh();
    expect(() => store.append("one", [callSettled(), runEnded()], 1)).toThrow();
    expect(store.events("one")).toEqual([]);
    expect(store.list(10)).toEqual([]);
  });

  it("append() refuses to start a run that was started", () => {
    const store = fresh();
    store.append("one", [runStarted("one")], 1);
    expect(() => store.append("one", [runStarted("one"), callSettled()], 2)).toThrow();
    expect(store.events("one")).toHaveLength(1);
  });

  it("events() reads a part of a log", () => {
    const store = fresh();
    const log = store.append("one", [runStarted("one"), callSettled(), callSettled(), runEnded()], 1);
    expect(store.events("one", { limit: 1 })).toEqual(log.slice(0, 1));
    expect(store.events("one", { from: 2 })).toEqual(log.slice(2));
    expect(store.events("one", { from: 1, limit: 2 })).toEqual(log.slice(1, 3));
    expect(store.events("one", { from: 4 })).toEqual([]);
  });

  it("events() is empty for a run that nobody started", () => {
    expect(fresh().events("nobody")).toEqual([]);
  });
}

function listContract(fresh: () => RunStore): void {
  it("list() gives the newest runs first, up to the limit", () => {
    const store = fresh();
    for (const run of ["one", "two", "three"]) store.append(run, [runStarted(run)], 1);
    expect(store.list(2).map(({ run }) => run)).toEqual(["three", "two"]);
  });

  it("list() sums the usage of settled calls and tells how the run ended", () => {
    const store = fresh();
    store.append("one", [runStarted("one"), callSettled({ calls: 1, inputTokens: 5, outputTokens: 2, usd: 0.5, seconds: 1 })], 7);
    expect(store.list(1)).toMatchObject([{ outcome: undefined, events: 2 }]);
    const usage = { calls: 2, inputTokens: 11, outputTokens: 5, usd: 0.5, seconds: 1, estimated: true };
    store.append("one", [callSettled({ calls: 1, inputTokens: 6, outputTokens: 3, estimated: true }), runEnded(usage)], 8);
    expect(store.list(1)).toEqual([
      {
        run: "one",
        topology: "chain",
        task: "Write a unit converter.",
        startedAt: 7,
        outcome: "completed",
        usage,
        events: 4,
      },
    ]);
  });

  it("list() shows a resumed run as going on", () => {
    const store = fresh();
    store.append("one", [runStarted("one"), runEnded()], 1);
    store.append("one", [{ kind: "run.resumed", limits: {}, redo: [] }], 2);
    expect(store.list(1)[0]?.outcome).toBeUndefined();
  });

  it("list() shortens a long task", () => {
    const store = fresh();
    store.append("one", [runStarted("one", "word ".repeat(200))], 1);
    expect(store.list(1)[0]?.task.length).toBeLessThanOrEqual(200);
  });
}

function resolveContract(fresh: () => RunStore): void {
  const filled = (): RunStore => {
    const store = fresh();
    for (const run of ["amber", "amber-fox", "birch"]) store.append(run, [runStarted(run)], 1);
    return store;
  };
  const failure = (work: () => unknown): unknown => {
    try {
      return work();
    } catch (thrown) {
      return thrown;
    }
  };

  it.each([
    ["birch", "birch"],
    ["b", "birch"],
    ["amber", "amber"],
    ["amber-", "amber-fox"],
    ["last", "birch"],
  ])("takes %s for %s", (name, run) => expect(filled().resolve(name)).toBe(run));

  it.each(["am", "cedar", "", "%", "AMBER"])("throws run_unknown for %j", (name) => {
    const store = filled();
    expect(
      isTroupeError(
        failure(() => store.resolve(name)),
        "run_unknown",
      ),
    ).toBe(true);
  });

  it("throws run_unknown for last when there is no run", () => {
    const store = fresh();
    expect(
      isTroupeError(
        failure(() => store.resolve("last")),
        "run_unknown",
      ),
    ).toBe(true);
  });
}

// A key named __proto__ is dropped by the schema on purpose.
const json = fc
  .jsonValue()
  .map((value) => JSON.parse(JSON.stringify(value)))
  .filter((value) => !JSON.stringify(value).includes("__proto__"));
const artifacts: fc.Arbitrary<Artifact> = fc.oneof(
  fc.record({ kind: fc.constant("text" as const), text: fc.string({ unit: "binary", maxLength: 3000 }) }),
  fc.record({ kind: fc.constant("choice" as const), choice: fc.string(), reason: fc.string() }),
  fc.record({ kind: fc.constant("json" as const), value: json }),
);

function artifactContract(fresh: () => RunStore): void {
  it("put() then get() gives any artifact back, under one name", () => {
    const store = fresh();
    fc.assert(
      fc.property(artifacts, (artifact) => {
        const ref = store.put(artifact);
        expect(ref.kind).toBe(artifact.kind);
        expect(store.get(ref)).toEqual(artifact);
        expect(store.put(structuredClone(artifact))).toEqual(ref);
      }),
      { numRuns: 60 },
    );
  });

  it("put() names an artifact by the SHA-256 of its canonical JSON", () => {
    expect(fresh().put({ kind: "text", text: "hello" })).toEqual({
      hash: "46cee8b8f442bfcd66f664c7e73416bd0120c5741b5dd0e486a67d7d6911bcbb",
      kind: "text",
      bytes: 30,
    });
  });

  it("put() does not care for the order of keys", () => {
    const store = fresh();
    expect(store.put({ kind: "json", value: { a: 1, b: 2 } })).toEqual(store.put({ value: { b: 2, a: 1 }, kind: "json" }));
  });

  it("get() throws store_damaged for an artifact that is not there", () => {
    const store = fresh();
    let thrown: unknown;
    try {
      store.get({ hash: "00".repeat(32) });
    } catch (error) {
      thrown = error;
    }
    expect(isTroupeError(thrown, "store_damaged")).toBe(true);
  });
}

function leaseContract(fresh: () => RunStore): void {
  const held = expect.objectContaining({ code: "run_held" });
  const lost = expect.objectContaining({ code: "run_lost" });
  const start = Date.UTC(2026, 0, 2, 3, 4, 5);

  it("acquire() gives a run to one session, and says who has it and since when", () => {
    const store = fresh();
    expect(store.holder("one", start)).toBeUndefined();
    store.acquire("one", start);
    expect(store.holder("one", start + 1)).toMatchObject({ pid: process.pid, since: start, until: start + leaseMilliseconds });
    const again = () => store.acquire("one", start + leaseMilliseconds - 1);
    expect(again).toThrow(held);
    expect(again).toThrow(new RegExp(`^Process ${process.pid} on .+ since 2026-01-02 03:04:05 UTC`));
    expect(() => store.acquire("two", start)).not.toThrow();
  });

  it("acquire() gives it on once it was let go, and release() lets go only what one has", () => {
    const store = fresh();
    const first = store.acquire("one", start);
    store.release("one", "somebody else's");
    expect(() => store.acquire("one", start)).toThrow(held);
    store.release("one", first);
    const second = store.acquire("one", start);
    store.release("one", first);
    expect(store.holder("one", start)).toBeDefined();
    expect(second).not.toBe(first);
  });

  it("renew() keeps a run, also one whose lease ran out and that nobody took", () => {
    const store = fresh();
    const lease = store.acquire("one", start);
    store.renew("one", lease, start + leaseMilliseconds - 1);
    expect(() => store.acquire("one", start + leaseMilliseconds + 1)).toThrow(held);
    store.renew("one", lease, start + 5 * leaseMilliseconds);
    expect(() => store.acquire("one", start + 5 * leaseMilliseconds + 1)).toThrow(held);
  });

  it("append() and renew() of who lost the run throw run_lost and change nothing", () => {
    const store = fresh();
    const first = store.acquire("one", start);
    store.append("one", [runStarted("one")], 1, { next: 0, lease: first });
    const second = store.acquire("one", start + leaseMilliseconds);
    expect(() => store.append("one", [callSettled()], 2, { next: 1, lease: first })).toThrow(lost);
    expect(() => store.renew("one", first, start)).toThrow(lost);
    expect(store.events("one")).toHaveLength(1);
    store.append("one", [callSettled()], 2, { next: 1, lease: second });
    store.release("one", second);
    expect(() => store.append("one", [callSettled()], 3, { lease: first })).toThrow(lost);
    expect(store.events("one")).toHaveLength(2);
  });

  it("leases have one holder when clocks jump", () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.integer({ min: -90, max: 90 })), { maxLength: 30 }), (moves) => {
        const store = fresh();
        store.append("one", [runStarted("one")], 0);
        const mine: (string | undefined)[] = [undefined, undefined, undefined];
        let now = start;
        for (const [who, seconds] of moves) {
          now += seconds * 1000;
          const lease = mine[who];
          try {
            if (lease === undefined) mine[who] = store.acquire("one", now);
            else store.renew("one", lease, now);
          } catch {
            mine[who] = undefined;
          }
          const writers = mine.filter((name) => name !== undefined && canWrite(store, name));
          expect(writers.length).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 40 },
    );
  });

  it("renew() by a clock that jumped back shortens no lease", () => {
    const store = fresh();
    const lease = store.acquire("one", start);
    store.renew("one", lease, start - 3_600_000);
    expect(() => store.acquire("one", start - 3_600_000)).toThrow(held);
    expect(() => store.acquire("one", start + leaseMilliseconds - 1)).toThrow(held);
  });
}

function canWrite(store: RunStore, lease: string): boolean {
  try {
    store.append("one", [callSettled()], 1, { lease });
    return true;
  } catch {
    return false;
  }
}

function retentionContract(fresh: () => RunStore): void {
  const now = Date.UTC(2026, 0, 2);

  /** Two runs, each with an artifact of its own and one that both name. */
  function filled() {
    const store = fresh();
    const [mine, theirs, both] = ["mine", "theirs", "both"].map((text) => store.put({ kind: "text", text }));
    if (mine === undefined || theirs === undefined || both === undefined) throw new Error("three artifacts");
    store.append("amber", [runStarted("amber"), ...activationEvents(0, mine), ...activationEvents(1, both)], 1);
    store.append("birch", [runStarted("birch"), ...activationEvents(0, theirs), ...activationEvents(1, both)], 2);
    return { store, mine, theirs, both };
  }

  it("remove() takes a run out with the artifacts that no other run names", () => {
    const { store, mine, theirs, both } = filled();
    const log = store.events("birch");
    const removed = store.remove(["amber"], now);
    expect(removed).toMatchObject({ runs: 1, events: 11, artifacts: 1 });
    expect(removed.bytes).toBeGreaterThan(mine.bytes);
    expect(store.list(9).map(({ run }) => run)).toEqual(["birch"]);
    expect([store.events("amber"), store.events("birch")]).toEqual([[], log]);
    expect(() => store.get(mine)).toThrow(expect.objectContaining({ code: "store_damaged" }));
    expect([store.get(theirs), store.get(both)]).toHaveLength(2);
    expect(store.remove(["birch"], now)).toMatchObject({ artifacts: 2 });
    expect(store.list(9)).toEqual([]);
  });

  it("remove() only counts when asked to", () => {
    const { store, mine } = filled();
    const counted = store.remove(["amber", "birch"], now, true);
    expect(counted).toMatchObject({ runs: 2, events: 22, artifacts: 3 });
    expect([store.list(9).length, store.get(mine).kind]).toEqual([2, "text"]);
    expect(store.remove(["amber", "birch"], now)).toEqual(counted);
  });

  it("remove() refuses runs that somebody works on, or that aren't there, and then removes none", () => {
    const { store } = filled();
    const lease = store.acquire("birch", now);
    expect(() => store.remove(["amber", "birch"], now)).toThrow(
      expect.objectContaining({ code: "run_held", details: expect.objectContaining({ run: "birch" }) }),
    );
    expect(() => store.remove(["amber", "cedar"], now)).toThrow(expect.objectContaining({ code: "run_unknown" }));
    expect(store.list(9)).toHaveLength(2);
    store.release("birch", lease);
    expect(store.remove(["amber", "birch"], now).runs).toBe(2);
  });

  it("resolve() says of a removed run when it was pruned, by its name or a unique beginning", () => {
    const { store } = filled();
    store.remove(["amber"], now);
    const pruned = expect.objectContaining({ code: "run_pruned", message: expect.stringContaining("Run amber was pruned on 2026-01-02") });
    for (const name of ["amber", "am"]) expect(() => store.resolve(name)).toThrow(pruned);
    expect([store.resolve("last"), store.resolve("b")]).toEqual(["birch", "birch"]);
    store.remove(["birch"], now);
    expect(() => store.resolve("birch")).toThrow(expect.objectContaining({ code: "run_pruned" }));
    expect(() => store.resolve("last")).toThrow(expect.objectContaining({ code: "run_unknown" }));
    expect(() => store.resolve("cedar")).toThrow(expect.objectContaining({ code: "run_unknown" }));
  });

  it("append() of who worked on a removed run writes nothing", () => {
    const { store } = filled();
    const lease = store.acquire("amber", now);
    store.remove(["amber"], now + leaseMilliseconds);
    expect(() => store.append("amber", [callSettled()], 3, { lease })).toThrow(expect.objectContaining({ code: "run_lost" }));
    expect(store.events("amber")).toEqual([]);
  });
}
