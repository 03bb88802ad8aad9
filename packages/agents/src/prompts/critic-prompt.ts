import { type Artifact, entryOf } from "@troupe/schema";
import { type Check, passesTests } from "../checks/check-tree.ts";
import type { Work } from "../work.ts";
import { taskSections } from "./actor-prompt.ts";
import type { Section } from "./sections.ts";
import { showArtifact, weights } from "./show-artifact.ts";

/** What a critic is asked: the task, the artifact, and what happened when it was run. */
export function criticSections(work: Work, judged: Artifact, check: Check | undefined): Section[] {
  const { context } = work;
  const entry = entryOf(context.task);
  const files = judged.kind === "files" ? judged.files : [];
  return [
    ...taskSections(work, files),
    ...showArtifact("## The work to judge", judged, entry, judged.kind === "files" ? undefined : weights.entry),
    ...(check === undefined
      ? []
      : [{ head: "## What happened when it was run\n```\n", text: check.text, tail: "\n```", weight: weights.output }]),
    { text: `## Your answer\n${passesTests(check) ? askForBrokenSentence : askForDefect}` },
  ];
}

const askForDefect = `Judge the work against the task. If it does what the task asks and you know of no real defect, answer with one word:
ACCEPT
Otherwise answer in this form, about the most important defect only, in at most five sentences and without writing the whole program:
REVISE: <what is wrong, where, and how to correct it>`;

/** For work that passes all tests: there small critics invent defects, so they must say which words of the task are broken. */
const askForBrokenSentence = `All tests pass. Go through the sentences of the task one by one. If the work does what they say, answer with one word:
ACCEPT
Otherwise quote the sentence of the task that the work breaks, word for word, and answer in this form, in at most three sentences:
REVISE "<the sentence of the task>": <what the work does instead, where, and how to correct it>`;
