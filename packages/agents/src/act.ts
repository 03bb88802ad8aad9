import { type Artifact, type ArtifactKind, entryOf, type FileEntry } from "@troupe/schema";
import { makeValue } from "./make-value.ts";
import { jobSections, taskSections } from "./prompts/actor-prompt.ts";
import { showArtifact, weights } from "./prompts/show-artifact.ts";
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
  const { artifact, critique } = work.material;
  const shown = artifact?.kind === "files" ? showArtifact("## The program so far", artifact, entry) : [];
  const review =
    critique === undefined
      ? []
      : [{ head: "## Review\n", text: critique, weight: weights.critique }, { text: "Change your notes as the review says." }];
  return makeValue(work, output, [...taskSections(work, []), ...shown, ...review]);
}

/** Whether handing on what was given would be no answer: a critique or a new task asks for a change. */
function mustChange({ material }: Work): boolean {
  return material.artifact === undefined ? material.previous !== undefined : material.critique !== undefined;
}

/** The tree that an actor changes: the current one, else the product of an earlier run. */
function baseTree({ material }: Work): readonly FileEntry[] {
  const { artifact, previous } = material;
  if (artifact?.kind === "files") return artifact.files;
  return previous?.kind === "files" ? previous.files : [];
}
