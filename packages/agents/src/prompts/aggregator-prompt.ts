import { type Artifact, entryOf } from "@troupe/schema";
import type { Check } from "../checks/check-tree.ts";
import type { Work } from "../work.ts";
import { taskSections } from "./actor-prompt.ts";
import { withLetter } from "./product-words.ts";
import type { Section } from "./sections.ts";
import { showArtifact, weights } from "./show-artifact.ts";

/** One of the artifacts to merge, and what trying it out showed. */
export interface Candidate {
  readonly artifact: Artifact;
  readonly check: Check | undefined;
}

/** What an aggregator is asked: compare the candidates, the best first, and give one artifact that joins what is good in them. */
export function aggregatorSections(work: Work, candidates: readonly Candidate[]): Section[] {
  const { task } = work.context;
  const entry = entryOf(task);
  const isFiles = candidates[0]?.artifact.kind === "files";
  const isChoice = candidates.every(({ artifact }) => artifact.kind === "choice") && (work.card.output ?? "choice") === "choice";
  const shown = candidates.flatMap(({ artifact, check }, index) => {
    const tried = check === undefined ? "" : check.ok ? " (it runs)" : " (it fails when it is run)";
    return showArtifact(
      `## ${isChoice ? "Answer" : "Version"} ${index + 1}${tried}`,
      withLetter(artifact, task),
      entry,
      isFiles && index === 0 ? undefined : weights.otherFiles,
    );
  });
  return [
    ...taskSections(work, []),
    ...shown,
    { text: `## Your job\n${(isChoice ? chooseOne : isFiles ? joinFiles : joinValues)(candidates.length)}` },
  ];
}

/** Candidates that agree are never merged. */
function chooseOne(versions: number): string {
  return `The ${versions} answers do not agree, so at least one is wrong. Check the steps of each against the question, briefly, and find the one that makes no mistake. Then choose exactly one option.`;
}

function joinFiles(versions: number): string {
  return `Compare the ${versions} versions: which does more of what the task asks, which is more correct. Start from the best one and bring in what the others do better. The result must be one complete, consistent whole, not several side by side. Files that you don't write are taken from version 1.`;
}

/** Small models, asked to compare first, answer with the comparison. */
function joinValues(versions: number): string {
  return `Write the one answer to the task that joins the ${versions} versions: everything that is right in any of them, said once. Answer with that alone. Don't speak of versions, and don't compare them.`;
}
