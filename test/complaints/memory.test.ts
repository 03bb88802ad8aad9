import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { runTroupe } from "@troupe/runtime";
import { systemClock } from "@troupe/schema";
import { expect, it } from "vitest";
import { scriptedPorts, textGraph, textTask, whoAsks } from "../support/scripted-world.ts";

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heapUsed(): number {
  for (let i = 0; i < 3; i++) collect();
  return process.memoryUsage().heapUsed;
}

it("row 12: a thousand runs that share a signal leave less than 1 KB each in memory", async () => {
  const { signal } = new AbortController();
  const topology = textGraph(["a", "b", "c"], ["a -> [b, c]"]);
  const outcomes = new Set<string>();
  const grown = async (runs: number): Promise<number> => {
    const before = heapUsed();
    for (let i = 0; i < runs; i++) {
      const ports = scriptedPorts((request) => whoAsks(request));
      const run = runTroupe({ topology, task: textTask, ports, seed: 1, limits: { tokens: 1e6, seconds: 1000 } }, { signal });
      for await (const event of run) if (event.kind === "call.settled") break;
      outcomes.add((await run.result).outcome.kind);
    }
    await systemClock.sleep(1, signal);
    return (heapUsed() - before) / runs;
  };
  await grown(200);
  // The runtime learns for thousands of calls, which takes memory as well; what is really left behind, each window shows.
  const windows: number[] = [];
  for (let i = 0; i < 4; i++) windows.push(await grown(250));
  expect([...outcomes]).toEqual(["completed"]);
  expect(Math.min(...windows)).toBeLessThan(1024);
}, 120_000);
