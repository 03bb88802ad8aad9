import { topologyBundle } from "@troupe/schema";
import { expect, it } from "vitest";
import { scriptedPorts, textTask } from "../../../test/support/scripted-world.ts";
import { resumeTroupe, runTroupe } from "./run-troupe.ts";

const names = ["ada", "bob", "cleo"];
const pool = { pool: 1, name: "three", profiles: names.map((name) => ({ name, text: `You are ${name}.` })) };
const card = (name: string, kind: string) => ({ agent: 1, name, kind, ...(kind === "actor" && { output: "text" }), instructions: "Work." });
const topology = topologyBundle.parse({
  file: {
    ...{ troupe: 1, name: "cast", shape: { kind: "chain", size: 3 } },
    defaults: { actor: "actor", critic: "critic", profiles: { actor: "three", critic: "three" } },
  },
  cards: { actor: card("writer", "actor"), critic: card("judge", "critic") },
  profiles: { three: pool },
});

it("runTroupe() tells every agent who it is, the same after a resume, and tells nobody who another one is", async () => {
  const ports = scriptedPorts((_request, call) => (call % 2 === 1 ? "ACCEPT" : "a text"));
  const { run, outcome } = await runTroupe({ topology, task: textTask, ports, limits: { calls: 2 } }).result;
  expect(outcome.kind).toBe("exhausted");
  expect((await resumeTroupe({ run, ports, limits: { calls: 50 } }).result).outcome.kind).toBe("completed");
  const asked = ports.model.requests.map(({ messages }) => messages.map(({ content }) => content));
  const systems = asked.map(([system]) => /^You are (\w+)\.\n\nWork\.$/.exec(system ?? "")?.[1]);
  expect(systems).toHaveLength(5);
  const [first, , second, , third] = systems;
  expect([first, second, third].sort()).toEqual(names);
  for (const critic of [systems[1], systems[3]]) expect(names).toContain(critic);
  for (const [, question] of asked) expect(question).not.toMatch(/ada|bob|cleo/);
});
