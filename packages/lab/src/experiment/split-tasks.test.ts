import { type ExperimentSplit, type Task, task } from "@troupe/schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { splitTasks } from "./split-tasks.ts";

const tasksOf = (ids: readonly string[]): Task[] => ids.map((id) => task.parse({ id, prompt: "x" }));
const idsOf = (tasks: readonly Task[], split: ExperimentSplit): string[] => {
  const part = splitTasks(tasks, split);
  return "tasks" in part ? part.tasks.map(({ id }) => id) : [];
};

it("splitTasks() draws parts that never overlap, make up the whole, and don't depend on the order of the lines", () => {
  const ids = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 40 });
  fc.assert(
    fc.property(ids, fc.double({ min: 0, max: 1, noNaN: true }), fc.integer({ min: 0, max: 100 }), (names, share, seed) => {
      const parts = { dev: share, test: 1 - share };
      const dev = idsOf(tasksOf(names), { parts, seed, use: "dev" });
      const test = idsOf(tasksOf(names), { parts, seed, use: "test" });
      expect([...dev, ...test].sort()).toEqual([...names].sort());
      expect(Math.abs(dev.length - share * names.length)).toBeLessThanOrEqual(0.5 + 1e-9);
      expect(idsOf(tasksOf([...names].reverse()), { parts, seed, use: "dev" })).toEqual([...dev].reverse());
    }),
  );
});

it("splitTasks() draws another part for another seed, and keeps the set's order", () => {
  const names = Array.from({ length: 30 }, (_, i) => `t${String(i).padStart(2, "0")}`);
  const drawn = (seed: number): string[] => idsOf(tasksOf(names), { parts: { dev: 0.3, test: 0.7 }, seed, use: "dev" });
  expect(drawn(0)).toHaveLength(9);
  expect(drawn(0)).toEqual([...drawn(0)].sort());
  expect(drawn(1)).not.toEqual(drawn(0));
});

it("splitTasks() takes lists of ids, and says which ids no task has", () => {
  const tasks = tasksOf(["a", "b", "c"]);
  expect(idsOf(tasks, { parts: { dev: ["c", "a"], test: ["b"] }, seed: 0, use: "dev" })).toEqual(["a", "c"]);
  expect(splitTasks(tasks, { parts: { dev: ["a", "x"], test: ["y"] }, seed: 0, use: "dev" })).toEqual({
    unknown: [
      { part: "dev", id: "x" },
      { part: "test", id: "y" },
    ],
  });
});
