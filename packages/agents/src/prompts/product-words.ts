import type { Artifact, ArtifactKind, PublicTask } from "@troupe/schema";
import { areLetters, letterOf } from "../answer/read-choice.ts";
import type { Work } from "../work.ts";
import type { Section } from "./sections.ts";

/** Everything that is made by one answer, not by files. */
export type ValueKind = Exclude<ArtifactKind, "files">;

/** What prompts call a product that is no program. */
export const nouns: Record<ValueKind, string> = { text: "text", choice: "answer", json: "JSON value" };

/** The product so far, where an actor has one to work on: of the kind that it makes and the task asks for. Anything else that it is given is notes. */
export function valueSoFar({ card, context, material }: Pick<Work, "card" | "context" | "material">): Value | undefined {
  const { artifact } = material;
  const made = card.output ?? context.task.output;
  if (card.kind !== "actor" || artifact === undefined || artifact.kind === "files") return undefined;
  return artifact.kind === made && made === context.task.output ? artifact : undefined;
}

type Value = Extract<Artifact, { kind: ValueKind }>;

/** The options of a choice question by their letters; nothing where they are letters themselves. */
export function optionsSection({ choices = [] }: Pick<PublicTask, "choices">): Section[] {
  if (areLetters(choices)) return [];
  return [{ text: `Options:\n${choices.map((choice, index) => `${letterOf(index)}) ${choice}`).join("\n")}` }];
}

/** An artifact as agents know it: a choice with the letter of its option. */
export function withLetter<Shown extends Artifact>(artifact: Shown, { choices = [] }: Pick<PublicTask, "choices">): Shown {
  if (artifact.kind !== "choice" || areLetters(choices)) return artifact;
  const index = choices.indexOf(artifact.choice);
  return index < 0 ? artifact : { ...artifact, choice: `${letterOf(index)}) ${artifact.choice}` };
}
