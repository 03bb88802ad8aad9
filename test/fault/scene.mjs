// What the fault harness runs: small topologies with a critic on every edge, and a model whose answers depend on nothing but the words
// it is asked, so that every run of a topology has one product, whatever the order in which its agents end.
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "@troupe/schema";

/** Shapes that meet at nodes, spread from nodes, or both. */
export const scenes = [
  { name: "mesh of 4", shape: { kind: "mesh", size: 4 }, rounds: 1 },
  { name: "random of 6", shape: { kind: "random", size: 6, seed: 3, density: 0.4 }, rounds: 1 },
  { name: "random of 7, reversed", shape: { kind: "random", size: 7, seed: 11, density: 0.2, reverse: true }, rounds: 2 },
  { name: "mesh of 3, long talks", shape: { kind: "mesh", size: 3, reverse: true }, rounds: 3 },
];

const card = (kind) => ({ agent: 1, name: kind, kind, instructions: `You are the ${kind}.` });

/** The topology of a scene with its cards. */
export function bundleOf({ shape, rounds }) {
  const defaults = { actor: "actor", critic: "critic", aggregator: "aggregator", rounds, groupSize: 2 };
  const cards = { actor: card("actor"), critic: card("critic"), aggregator: card("aggregator") };
  return { file: { troupe: 1, name: "fault", shape, defaults, limits: { parallel: 4 } }, cards };
}

/**
 * A model that streams its answer word by word, with delays that follow from the seed.
 *
 * @param told with `asked`, `delta` and `answered`, each before it takes effect, and the request.
 */
export function createSlowModel(seed, told) {
  const estimate = ({ messages, maxTokens }) => ({ tokens: lengthOf(messages) + maxTokens, usd: 0 });
  return {
    estimate,
    info: async () => ({ contextTokens: 8192, tools: "text" }),
    close: async () => undefined,
    chat: async (request, { signal, onDelta }) => {
      const random = createRandom(seed, String(request.seed));
      told("asked", request);
      const text = answerTo(request.messages);
      for (const word of text.match(/\s*\S+/g)) {
        await sleep(random.integer(4), undefined, { signal });
        told("delta", request);
        onDelta?.(word);
      }
      told("answered", request);
      const usage = { calls: 1, inputTokens: lengthOf(request.messages), outputTokens: 3, usd: 0, seconds: 0, estimated: false };
      return { text, toolCalls: [], finish: "stop", usage, endpoint: "scripted" };
    },
  };
}

/**
 * By the words of the question alone: critics want one more change in two of three cases, and say first nothing of use in every other one,
 * so that there are activations of several calls.
 */
function answerTo(messages) {
  const hash = createHash("sha256").update(JSON.stringify(messages)).digest("hex");
  if (!messages[0].content.includes("critic")) return `version ${hash.slice(0, 16)} of it`;
  const chance = Number.parseInt(hash.slice(0, 2), 16);
  if (messages.length === 2 && chance % 2 === 0) return "Well, let me see.";
  return chance % 3 === 0 ? "ACCEPT" : `REVISE: make it ${hash.slice(0, 16)}`;
}

function lengthOf(messages) {
  return messages.reduce((sum, { content }) => sum + content.split(/\s+/).length, 0);
}
