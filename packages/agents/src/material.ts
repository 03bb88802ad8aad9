import { type ActivationContext, type Artifact, verdict } from "@troupe/schema";

/** What an agent works on, by the names of its inputs. */
export interface Material {
  /** What is asked for. */
  readonly task: string;
  /** The current artifact. */
  readonly artifact: Artifact | undefined;
  /** A product of an earlier run that the task changes. */
  readonly previous: Artifact | undefined;
  /** What a critic asks to change; absent when it asked for nothing. */
  readonly critique: string | undefined;
  /** What a critic told the actor behind the edge; absent when it asked for nothing. */
  readonly instruction: string | undefined;
  /** Who the agent is besides its card, as a text. */
  readonly profile: string | undefined;
  /** The part of the work that is an actor's own, where others do the other parts. */
  readonly item: Artifact | undefined;
  /** What an aggregator merges. */
  readonly candidates: readonly Artifact[];
  /** Everything else, under its input's name. */
  readonly context: readonly { readonly name: string; readonly artifact: Artifact }[];
}

/** Sorts the inputs of an activation by their names. */
export function readMaterial({ inputs, task }: Pick<ActivationContext, "inputs" | "task">): Material {
  const named = (name: string) => inputs.findLast((input) => input.name === name)?.artifact;
  const asked = named("task");
  const known = new Set(["task", "artifact", "previous", "critique", "instruction", "profile", "item", "candidate"]);
  return {
    task: asked?.kind === "text" ? asked.text : task.prompt,
    artifact: named("artifact"),
    previous: named("previous"),
    critique: readCritique(named("critique")),
    instruction: readCritique(named("instruction")),
    profile: readProfile(named("profile")),
    item: named("item"),
    candidates: inputs.filter((input) => input.name === "candidate").map((input) => input.artifact),
    context: inputs.filter((input) => !known.has(input.name)),
  };
}

function readProfile(artifact: Artifact | undefined): string | undefined {
  return artifact?.kind === "text" && artifact.text.trim() !== "" ? artifact.text.trim() : undefined;
}

function readCritique(artifact: Artifact | undefined): string | undefined {
  if (artifact?.kind === "text") return artifact.text;
  if (artifact?.kind !== "json") return undefined;
  const judged = verdict.safeParse(artifact.value);
  if (!judged.success) return JSON.stringify(artifact.value);
  return judged.data.verdict === "accept" || judged.data.critique.trim() === "" ? undefined : judged.data.critique;
}
