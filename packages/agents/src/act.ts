import { type Artifact, type ArtifactKind, entryOf, type FileEntry } from "@troupe/schema";
import { checkTree, passesTests } from "./checks/check-tree.ts";
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
    const baseCheck = isAskedToChange(work) && tree.length > 0 ? await checkTree(work, tree) : undefined;
    const mustChange = isAskedToChange(work) && !(isReview(work) && passesTests(baseCheck));
    const sections = [...taskSections(work, tree), ...jobSections(work, { tree, entry, mayRefuse: !mustChange })];
    const files = await new ToolLoop(work, { base: tree, baseCheck, sections, mustChange }).run();
    return { kind: "files", files: [...files] };
  }
  return makeValue(work, output, [...taskSections(work, []), ...valueJobSections(work, output, entry)]);
}

/** Whether a critique or a new task asks for a change. */
function isAskedToChange({ material }: Work): boolean {
  const { artifact, previous, critique } = material;
  return artifact?.kind === "files" ? critique !== undefined : previous?.kind === "files";
}

/** A critic may be wrong about a program that passes all tests; then the actor may refuse. A task for a change is not refused. */
function isReview({ material }: Work): boolean {
  return material.artifact?.kind === "files" && material.critique !== undefined;
}

/** The tree that an actor changes: the current one, else the product of an earlier run. */
function baseTree({ material }: Work): readonly FileEntry[] {
  const { artifact, previous } = material;
  if (artifact?.kind === "files") return artifact.files;
  return previous?.kind === "files" ? previous.files : [];
}
