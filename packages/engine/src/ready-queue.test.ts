import fc from "fast-check";
import { expect, test } from "vitest";
import { ReadyQueue } from "./ready-queue.ts";

test("ReadyQueue gives the highest priority first and the lowest id among equals, whatever is pushed between", () => {
  const operations = fc.array(fc.option(fc.integer({ min: -3, max: 3 }), { freq: 3 }));
  fc.assert(
    fc.property(operations, (steps) => {
      const queue = new ReadyQueue();
      const model: { id: number; priority: number }[] = [];
      steps.forEach((priority, id) => {
        if (priority === null) {
          model.sort((a, b) => b.priority - a.priority || a.id - b.id);
          expect(queue.peek()).toBe(model[0]?.id);
          expect(queue.pop()).toBe(model.shift()?.id);
        } else {
          queue.push(id, priority);
          model.push({ id, priority });
        }
        expect(queue.size).toBe(model.length);
      });
    }),
  );
});
