import { type Artifact, type ArtifactKind, canonicalJson, isTroupeError, TroupeError } from "@troupe/schema";
import { checkTree } from "./checks/check-tree.ts";
import { makeValue } from "./make-value.ts";
import { aggregatorSections, type Candidate } from "./prompts/aggregator-prompt.ts";
import { ToolLoop } from "./tool-loop.ts";
import type { Work } from "./work.ts";

/** What kind of artifact an aggregator gives: what its card says, else what all candidates are, else what the task asks for. */
export function mergedKind({ card, context, material }: Pick<Work, "card" | "context" | "material">): ArtifactKind {
  const kinds = new Set(material.candidates.map((candidate) => candidate.kind));
  const [only] = kinds;
  return card.output ?? (kinds.size === 1 && only !== undefined ? only : context.task.output);
}

/** An aggregator at work: candidates in, one merged artifact out, which never runs worse than the best of them. A single one, or equal ones, need no call. */
export async function merge(work: Work): Promise<Artifact> {
  const { candidates } = work.material;
  const [first] = candidates;
  if (first === undefined)
    throw new TroupeError("internal", `The aggregator ${work.card.name} has nothing to merge: no input is named candidate.`);
  const kind = mergedKind(work);
  if (first.kind === kind && candidates.every((one) => isSame(one, first))) return first;
  if (kind !== "files")
    return makeValue(
      work,
      kind,
      aggregatorSections(
        work,
        candidates.map((artifact) => ({ artifact, check: undefined })),
      ),
    );
  const ranked = await rank(work, candidates);
  const base = ranked.find((one) => one.artifact.kind === "files");
  const tree = base?.artifact.kind === "files" ? base.artifact.files : [];
  const job = { base: tree, baseCheck: base?.check, sections: aggregatorSections(work, ranked), mustChange: false };
  try {
    return { kind: "files", files: [...(await new ToolLoop(work, job).run())] };
  } catch (thrown) {
    // The best of what there was is worth more than a merge that came to nothing.
    if (base === undefined || !isTroupeError(thrown) || !agentsOwn.has(thrown.code)) throw thrown;
    return base.artifact;
  }
}

/** Errors that are the agent's own, not the world's. */
const agentsOwn = new Set<string>(["answer_unusable", "activation_exhausted"]);

/** Whether two artifacts need no merge; a choice is the same whatever its reasons are. */
function isSame(one: Artifact, other: Artifact): boolean {
  if (one.kind === "choice" && other.kind === "choice") return one.choice === other.choice;
  return canonicalJson(one) === canonicalJson(other);
}

/** Candidates with what trying them out showed, the best first. */
async function rank(work: Work, artifacts: readonly Artifact[]): Promise<Candidate[]> {
  const candidates: Candidate[] = [];
  for (const artifact of artifacts) {
    candidates.push({ artifact, check: artifact.kind === "files" ? await checkTree(work, artifact.files) : undefined });
  }
  const score = ({ artifact, check }: Candidate) => (artifact.kind === "files" ? (check?.score ?? 0) : -1);
  return candidates.sort((a, b) => score(b) - score(a));
}
