import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSequencePool } from "./sequence-pool.ts";

const never = new AbortController().signal;

const tokensOf = (text: string) => Array.from(text);

function sequence(name: string, remembered: string) {
  return {
    name,
    size: remembered.length,
    commonPrefix: (tokens: readonly string[]) => {
      let length = 0;
      while (length < remembered.length && remembered[length] === tokens[length]) length++;
      return length;
    },
  };
}

describe("createSequencePool()", () => {
  it("hands out the free sequence that saves most and forgets least", async () => {
    const pool = createSequencePool([sequence("a", "xyz"), sequence("b", "hello"), sequence("c", "help")]);
    const names = [];
    for (let i = 0; i < 3; i++) names.push((await pool.acquire(tokensOf("hello you"), never)).name);
    expect(names).toEqual(["b", "c", "a"]);
  });

  it("does not give a long memory up for a few tokens", async () => {
    const pool = createSequencePool([sequence("long", "the same start, and much more"), sequence("empty", "")]);
    expect((await pool.acquire(tokensOf("the other"), never)).name).toBe("empty");
    expect((await pool.acquire(tokensOf("the same start, and much less"), never)).name).toBe("long");
  });

  it("among equals hands out the one used longest ago", async () => {
    const [a, b] = [sequence("a", ""), sequence("b", "")];
    const pool = createSequencePool([a, b]);
    const first = await pool.acquire([], never);
    pool.release(first);
    expect((await pool.acquire([], never)).name).toBe("b");
  });

  it("serves waiting requests in the order of asking", async () => {
    const only = sequence("only", "");
    const pool = createSequencePool([only]);
    await pool.acquire([], never);
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      const held = await pool.acquire([], never);
      order.push(number);
      pool.release(held);
    });
    expect(pool.waiting).toBe(3);
    pool.release(only);
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });

  it("lets an aborted request leave the queue, whoever is behind it moves up", async () => {
    const only = sequence("only", "");
    const pool = createSequencePool([only]);
    await pool.acquire([], never);
    const controller = new AbortController();
    const leaving = pool.acquire([], controller.signal);
    const staying = pool.acquire([], never);
    controller.abort("enough");
    await expect(leaving).rejects.toBe("enough");
    pool.release(only);
    expect(await staying).toBe(only);
    expect(pool).toMatchObject({ busy: 1, waiting: 0 });
    await expect(pool.acquire([], AbortSignal.abort("late"))).rejects.toBe("late");
  });

  it("never hands a sequence to two requests, and all are free in the end", async () => {
    const prompts = fc.array(fc.record({ tokens: fc.string(), steps: fc.nat(4), abort: fc.boolean() }), { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 4 }), prompts, async (size, requests) => {
        const pool = createSequencePool(Array.from({ length: size }, (_, place) => sequence(String(place), "ab".slice(place))));
        const held = new Set<string>();
        const one = async ({ tokens, steps, abort }: { tokens: string; steps: number; abort: boolean }) => {
          const controller = new AbortController();
          const pending = pool.acquire(tokensOf(tokens), controller.signal);
          if (abort) controller.abort("x");
          const got = await pending.catch(() => undefined);
          if (got === undefined) return;
          expect(held.has(got.name)).toBe(false);
          held.add(got.name);
          for (let step = 0; step < steps; step++) await Promise.resolve();
          held.delete(got.name);
          pool.release(got);
        };
        await Promise.all(requests.map(one));
        expect(pool).toMatchObject({ busy: 0, waiting: 0 });
      }),
    );
  });
});
