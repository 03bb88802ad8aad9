import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { systemClock } from "@troupe/schema";
import { expect, test } from "vitest";
import { ask, options, scriptedModels, stepByStep } from "../test/scripted.ts";
import { executeRun } from "./index.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heapUsed(): number {
  for (let i = 0; i < 3; i++) collect();
  return process.memoryUsage().heapUsed;
}

test("executeRun() leaves nothing in memory behind, over many runs that share a signal", async () => {
  const { signal } = new AbortController();
  const once = async (): Promise<void> => {
    const models = scriptedModels(() => "x");
    const limits = { tokens: 1e6, seconds: 1000, parallel: 2 };
    const run = executeRun(options({ director: stepByStep([[], [0], [0], [1, 2]]), models, runners: { act: ask }, limits, signal }));
    for await (const event of run) if (event.kind === "call.settled") break;
    expect((await run.result).outcome.kind).toBe("completed");
  };
  const runs = 400;
  for (let i = 0; i < runs; i++) await once();
  const before = heapUsed();
  for (let i = 0; i < runs; i++) await once();
  await systemClock.sleep(1, signal);
  expect((heapUsed() - before) / runs).toBeLessThan(1024);
});
