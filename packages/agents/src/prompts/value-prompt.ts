import type { ArtifactKind } from "@troupe/schema";
import type { Work } from "../work.ts";
import { followInstruction, instructionSections } from "./actor-prompt.ts";
import { nouns, type ValueKind, valueSoFar, withLetter } from "./product-words.ts";
import type { Section } from "./sections.ts";
import { showArtifact, weights } from "./show-artifact.ts";

/**
 * What an actor is asked that answers with one value, not with files: the same jobs, told apart by its inputs.
 * A value that it was given and that is not the product itself stands with the task already, as notes.
 */
export function valueJobSections(work: Work, output: ArtifactKind, entry: string): Section[] {
  const { artifact, previous, critique } = work.material;
  const value = valueSoFar(work);
  const program = [artifact, previous].find((one) => one?.kind === "files");
  return [
    ...(program === undefined ? [] : showArtifact("## The program so far", program, entry)),
    ...(value === undefined
      ? []
      : showArtifact(`## The ${nouns[value.kind]} so far`, withLetter(value, work.context.task), entry, weights.entry)),
    ...(critique === undefined ? [] : [{ head: "## Review\n", text: critique, weight: weights.critique }]),
    ...instructionSections(work.material),
    ...(value === undefined
      ? notesJob(work, output)
      : [{ text: `## Your job\n${[...changed(work), valueJob(work, value.kind)].join(" ")}` }]),
  ];
}

function notesJob(work: Work, output: ArtifactKind): Section[] {
  const { artifact, critique, instruction } = work.material;
  const job = [
    ...(instruction === undefined ? [] : [followInstruction.trim()]),
    ...changed(work),
    ...(critique !== undefined ? ["Change your notes as the review says."] : artifact?.kind === output ? [furtherNotes] : []),
  ];
  return job.length === 0 ? [] : [{ text: job.join(" ") }];
}

function changed({ material }: Work): string[] {
  return material.previous === undefined ? [] : ["The task asks to change what an earlier run made."];
}

function valueJob({ material }: Work, kind: ValueKind): string {
  const { critique, instruction } = material;
  if (kind === "choice") return chooseAgain(critique !== undefined || instruction !== undefined);
  const noun = nouns[kind];
  if (critique !== undefined) return `Write the whole ${noun} anew, changed as the review says. Keep everything else.`;
  return `${instruction === undefined ? "" : followInstruction}Take the ${noun} further, as your role asks: correct what is wrong, add what is missing, and keep what is right. Write the whole ${noun}.`;
}

const furtherNotes = "Take the notes further, as your role asks: correct what is wrong, add what is missing, and keep what is right.";

/** Small models do whatever a review says, so a choice is not changed but made anew. */
function chooseAgain(isReviewed: boolean): string {
  const [who, check] = isReviewed ? ["The answer and the review may each", ", check what the review says,"] : ["The answer above may", ""];
  return `${who} be right or wrong. Work the question out yourself in a few short steps${check} and then choose. The option may stay the same.`;
}
