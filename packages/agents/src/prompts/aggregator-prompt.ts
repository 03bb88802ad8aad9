import { type Artifact, entryOf } from "@troupe/schema";
import type { Check } from "../checks/check-tree.ts";
import type { Work } from "../work.ts";
import { taskSections } from "./actor-prompt.ts";
import type { Section } from "./sections.ts";
import { showArtifact, weights } from "./show-artifact.ts";

/** One of the artifacts to merge, and what trying it out showed. */
export interface Candidate {
  readonly artifact: Artifact;
  readonly check: Check | undefined;
}

/** What an aggregator is asked: compare the candidates, the best first, and give one artifact that joins what is good in them. */
export function aggregatorSections(work: Work, candidates: readonly Candidate[]): Section[] {
  const entry = entryOf(work.context.task);
  const isFiles = candidates[0]?.artifact.kind === "files";
  const shown = candidates.flatMap(({ artifact, check }, index) => {
    const tried = check === undefined ? "" : check.ok ? " (it runs)" : " (it fails when it is run)";
    return showArtifact(`## Version ${index + 1}${tried}`, artifact, entry, isFiles && index === 0 ? undefined : weights.otherFiles);
  });
  return [
    ...taskSections(work, []),
    ...shown,
    { text: `## Your job\n${isFiles ? joinFiles(candidates.length) : joinValues(candidates.length)}` },
  ];
}

function joinFiles(versions: number): string {
  return `Compare the ${versions} versions: which does more of what the task asks, which is more correct. Start from the best one and bring in what the others do better. The result must be one complete, consistent whole, not several side by side. Files that you don't write are taken from version 1.`;
}

/** Small models, asked to compare first, answer with the comparison. */
function joinValues(versions: number): string {
  return `Write the one answer to the task that joins the ${versions} versions: everything that is right in any of them, said once. Answer with that alone. Don't speak of versions, and don't compare them.`;
}
