import { type Artifact, type ArtifactKind, entryOf, type FileEntry } from "@troupe/schema";
import { makeValue } from "./make-value.ts";
import { jobSections, taskSections } from "./prompts/actor-prompt.ts";
import { valueJobSections } from "./prompts/value-prompt.ts";
import { ToolLoop } from "./tool-loop.ts";
import type { Work } from "./work.ts";

/** An actor at work: it creates an artifact, develops one further, or revises one by a critique. */
export async function act(work: Work, output: ArtifactKind): Promise<Artifact> {
  const entry = entryOf(work.context.task);
  if (output === "files") {
    const tree = baseTree(work);
    const sections = [...taskSections(work, tree), ...jobSections(work, tree, entry)];
    const files = await new ToolLoop(work, { base: tree, sections, mustChange: mustChange(work) }).run();
    return { kind: "files", files: [...files] };
  }
  return makeValue(work, output, [...taskSections(work, []), ...valueJobSections(work, output, entry)]);
}

/** Whether handing on what was given would be no answer: a critique or a new task asks for a change. */
function mustChange({ material }: Work): boolean {
  const { artifact, previous, critique } = material;
  return artifact?.kind === "files" ? critique !== undefined : previous?.kind === "files";
}

/** The tree that an actor changes: the current one, else the product of an earlier run. */
function baseTree({ material }: Work): readonly FileEntry[] {
  const { artifact, previous } = material;
  if (artifact?.kind === "files") return artifact.files;
  return previous?.kind === "files" ? previous.files : [];
}
