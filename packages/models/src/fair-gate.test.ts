import { getEventListeners } from "node:events";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FairGate } from "./fair-gate.ts";

const never = new AbortController().signal;

describe("FairGate", () => {
  it("lets owners in by turns, each owner's own in order", async () => {
    const gate = new FairGate(1);
    const order: string[] = [];
    const pass = (name: string) =>
      gate.pass(name.charAt(0), never, async () => {
        order.push(name);
        await Promise.resolve();
      });
    await Promise.all(["a1", "a2", "a3", "a4", "b1", "b2", "c1"].map(pass));
    expect(order).toEqual(["a1", "a2", "b1", "c1", "a3", "b2", "a4"]);
  });

  it("holds an owner that wants once up for one turn of each other owner at most", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 40 }),
        fc.integer({ min: 1, max: 4 }),
        async (owners, slots) => {
          const gate = new FairGate(slots);
          const order: string[] = [];
          let inside = 0;
          const pass = (owner: string) =>
            gate.pass(owner, never, async () => {
              expect(++inside).toBeLessThanOrEqual(slots);
              order.push(owner);
              await setImmediate();
              inside--;
            });
          await Promise.all([...owners, "late"].map(pass));
          expect(order).toHaveLength(owners.length + 1);
          expect(order.indexOf("late")).toBeLessThanOrEqual(slots + new Set(owners).size);
        },
      ),
      { numRuns: 50 },
    );
  });

  it("goes on after work that fails, and forgets who gives up", async () => {
    const gate = new FairGate(1);
    const user = new AbortController();
    const failed = gate.pass("a", never, async () => {
      await setImmediate();
      throw new Error("no");
    });
    const gone = gate.pass("b", user.signal, () => expect.unreachable());
    const last = gate.pass("b", never, () => Promise.resolve("in"));
    user.abort(new Error("gone"));
    await expect(gone).rejects.toThrow("gone");
    await expect(failed).rejects.toThrow("no");
    expect(await last).toBe("in");
    expect(getEventListeners(user.signal, "abort")).toHaveLength(0);
    await expect(gate.pass("a", user.signal, () => expect.unreachable())).rejects.toThrow("gone");
    expect(await gate.pass("a", never, () => Promise.resolve("free"))).toBe("free");
  });
});
