import type { ArtifactKind } from "@troupe/schema";
import type { Work } from "../work.ts";
import { followInstruction, instructionSections } from "./actor-prompt.ts";
import type { Section } from "./sections.ts";
import { showArtifact, weights } from "./show-artifact.ts";

/**
 * What an actor is asked that answers with one value, not with files: the same jobs, told apart by its inputs.
 * A value that it was given stands with the task already, as notes.
 */
export function valueJobSections({ material }: Pick<Work, "material">, output: ArtifactKind, entry: string): Section[] {
  const { artifact, previous, critique } = material;
  const program = [artifact, previous].find((one) => one?.kind === "files");
  const asked = instructionSections(material);
  const job = [
    ...(asked.length === 0 ? [] : [followInstruction.trim()]),
    ...(previous === undefined ? [] : ["The task asks to change what an earlier run made."]),
    ...(critique !== undefined ? ["Change your notes as the review says."] : artifact?.kind === output ? [further] : []),
  ];
  return [
    ...(program === undefined ? [] : showArtifact("## The program so far", program, entry)),
    ...(critique === undefined ? [] : [{ head: "## Review\n", text: critique, weight: weights.critique }]),
    ...asked,
    ...(job.length === 0 ? [] : [{ text: job.join(" ") }]),
  ];
}

const further = "Take the notes further, as your role asks: correct what is wrong, add what is missing, and keep what is right.";
