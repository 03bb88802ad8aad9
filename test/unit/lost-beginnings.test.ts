import { resumeTroupe, runTroupe } from "@troupe/runtime";
import { expect, it } from "vitest";
import { scriptedPorts, textGraph, textTask, whoAsks } from "../support/scripted-world.ts";

const { signal } = new AbortController();

it("a run whose only beginning gave nothing usable fails, and begins again when it is resumed", async () => {
  let babbles = true;
  const ports = scriptedPorts((request) => (whoAsks(request) === "a" && babbles ? "" : `${whoAsks(request)} speaks`));
  const first = await runTroupe({ topology: textGraph(["a", "b"], ["a -> b"]), task: textTask, ports }, { signal }).result;
  expect(first.outcome).toMatchObject({ kind: "failed", error: { code: "answer_unusable" } });
  babbles = false;
  const again = await resumeTroupe({ run: first.run, ports }, { signal }).result;
  expect(again.outcome.kind).toBe("completed");
});

it("a run of several beginnings goes on without the one that gave nothing usable, and a vote still counts the others", async () => {
  const ports = scriptedPorts((request) => (whoAsks(request) === "b" ? "" : "answer: 4"));
  const topology = textGraph(["a", "b", "c"], ["a, b, c -> v"]);
  const file = {
    ...topology.file,
    nodes: [...(topology.file.nodes ?? []), { id: "v", vote: { need: "all" as const, compare: "answer" as const } }],
  };
  const { aggregator: _, ...defaults } = file.defaults;
  const run = runTroupe({ topology: { ...topology, file: { ...file, defaults } }, task: textTask, ports }, { signal });
  expect((await run.result).outcome.kind).toBe("completed");
});
