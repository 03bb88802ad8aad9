import type { Activation, Artifact } from "@troupe/schema";
import { canonicalJson, createRandom } from "@troupe/schema";
import type { Worker } from "./drive.ts";

/** What tells an activation from the others, whoever was faster. */
export interface Act {
  readonly scope: string;
  readonly step: string;
  readonly from: string;
  readonly node: string;
  readonly round: number;
  readonly item: number;
}

/** The inputs of an activation besides the task. */
export type Given = readonly (readonly [name: string, artifact: Artifact])[];

/** The name of an act; merges at one place share theirs. */
export const nameOf = ({ scope, step, from, node, round, item }: Act): string => `${scope}/${step} ${from}>${node} ${round} ${item}`;

/** The act of an activation. */
export function actOf({ scope, meta }: Pick<Activation, "scope" | "meta">): Act {
  const word = (key: string) => String(meta[key] ?? "");
  return {
    scope,
    step: word("step"),
    from: word("from"),
    node: word("node"),
    round: Number(meta["round"] ?? 0),
    item: Number(meta["item"] ?? 0),
  };
}

/**
 * What an agent answers: it follows from the seed, the act and what it was given, in whatever order that came. Undefined: prose that nobody
 * can use. Mergers join the words that they are given, so that their answers don't depend on who was merged first.
 */
export function answerOf(seed: number, act: Act, given: Given): Artifact | undefined {
  if (act.step === "merge") return { kind: "text", text: wordsOf(given.map(([, artifact]) => artifact)).join("\n") };
  const sorted = given.map((input) => canonicalJson(input)).sort();
  if (act.step === "best") return smallest(given.map(([, artifact]) => artifact));
  const random = createRandom(seed, `${nameOf(act)} ${sorted.join(" ")}`);
  const pick = random.integer(100);
  if (act.step === "wait") return pick < 60 ? { kind: "choice", choice: pick < 40 ? "yes" : "no" } : { kind: "text", text: word(random) };
  if (act.step === "critique") return pick < 12 ? undefined : verdict(pick < 60 ? "revise" : "accept", word(random));
  // A source has nothing that could go on instead, so that one that babbles ends the run.
  if (pick < (given.length === 0 ? 2 : 12)) return undefined;
  return made(pick, () => word(random));
}

function made(pick: number, next: () => string): Artifact {
  if (pick < 70) return { kind: "text", text: Array.from({ length: 1 + (pick % 3) }, next).join("\n") };
  if (pick < 76) return { kind: "text", text: "answer: w1" };
  if (pick < 86) return { kind: "json", value: Array.from({ length: pick % 4 }, next) };
  if (pick < 92) return { kind: "json", value: { list: [next(), { deep: next() }, null], note: next() } };
  return pick < 96 ? { kind: "choice", choice: next() } : { kind: "text", text: "" };
}

const word = (random: { integer(below: number): number }): string => `w${random.integer(30)}`;
const verdict = (word: string, critique: string): Artifact => ({ kind: "json", value: { verdict: word, critique } });

function smallest(artifacts: readonly Artifact[]): Artifact {
  const [first] = [...artifacts].sort((a, b) => (canonicalJson(a) < canonicalJson(b) ? -1 : 1));
  return first ?? { kind: "text", text: "" };
}

/** All words in artifacts, each once. */
export function wordsOf(artifacts: readonly Artifact[]): string[] {
  const words = artifacts.flatMap((artifact) => JSON.stringify(artifact).match(/w\d+|[ab]\d|word/g) ?? []);
  return [...new Set(words)].sort();
}

/** The same for activations that a director has started. */
export function scripted(seed: number): Worker {
  return (of, read) => {
    const names = [...new Set(of.inputs.map(({ name }) => name))].filter((name) => name !== "task");
    return answerOf(
      seed,
      actOf(of),
      names.flatMap((name) => read(name).map((artifact) => [name, artifact] as const)),
    );
  };
}
