import { setImmediate } from "node:timers/promises";
import { foldLog } from "@troupe/engine";
import { runTroupe } from "@troupe/runtime";
import { addUsage, type ChatRequest, noUsage, TroupeError, type Usage } from "@troupe/schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import { scriptedPorts, textGraph, textTask, whoAsks } from "../support/scripted-world.ts";

const words = (text: string): number => text.split(/\s+/).filter(Boolean).length;
const costOf = ({ messages }: ChatRequest, answer: string) => ({
  inputTokens: messages.reduce((sum, { content }) => sum + words(content), 0),
  outputTokens: words(answer),
});
const tokensOf = ({ inputTokens, outputTokens }: Pick<Usage, "inputTokens" | "outputTokens">) => [inputTokens, outputTokens];

it("row 21: tokens are credited to who used them, in any order of answers: over agents, activations and calls the sums are the same", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 2, max: 6 }),
      fc.integer({ min: 1, max: 8 }),
      fc.infiniteStream(fc.nat(5)),
      async (width, parallel, turns) => {
        const middle = Array.from({ length: width }, (_, i) => `m${i}`);
        const topology = textGraph(["from", ...middle, "to"], [`from -> [${middle.join(", ")}] -> to`]);
        const spent = new Map<string, Usage>();
        const ports = scriptedPorts(async (request, call) => {
          const who = whoAsks(request);
          const answer = `${who} ${"word ".repeat(turns.next().value + Number(/\d/.exec(who)?.[0] ?? 7))}`.trim();
          for (let turn = turns.next().value; turn > 0; turn--) await setImmediate();
          // A call that did not reach the server costs nothing, and its attempt is made again.
          if (call === 2) return new TroupeError("model_unreachable", "Nobody answers.", { retryAfterSeconds: 0.001 });
          spent.set(who, addUsage(spent.get(who) ?? noUsage, { ...noUsage, ...costOf(request, answer), calls: 1 }));
          return answer;
        });
        const { run, outcome, usage } = await runTroupe({ topology, task: textTask, ports, limits: { parallel } }).result;
        expect(outcome.kind).toBe("completed");
        const events = ports.store.events(run);
        const { rows, usageByAgent } = foldLog(events);
        for (const [who, own] of spent) expect(tokensOf(usageByAgent.get(who) ?? noUsage)).toEqual(tokensOf(own));
        for (const { activation, usage: own } of rows) {
          const calls = events.flatMap((event) =>
            event.kind === "call.settled" && event.activation === activation.id ? [event.usage] : [],
          );
          expect(tokensOf(calls.reduce(addUsage, noUsage))).toEqual(tokensOf(own));
          const settled = events.find((event) => event.kind === "activation.settled" && event.activation === activation.id);
          expect(settled).toMatchObject({ usage: { inputTokens: own.inputTokens, outputTokens: own.outputTokens } });
        }
        expect(tokensOf(rows.map((row) => row.usage).reduce(addUsage, noUsage))).toEqual(tokensOf(usage));
        expect(tokensOf([...spent.values()].reduce(addUsage, noUsage))).toEqual(tokensOf(usage));
      },
    ),
    { numRuns: 40 },
  );
});
