import { type Artifact, entryOf, type PublicTask } from "@troupe/schema";
import { areLetters } from "../answer/read-choice.ts";
import { type Check, passesTests } from "../checks/check-tree.ts";
import type { Work } from "../work.ts";
import { taskSections } from "./actor-prompt.ts";
import { nouns, withLetter } from "./product-words.ts";
import type { Section } from "./sections.ts";
import { showArtifact, weights } from "./show-artifact.ts";

/** What a critic is asked: the task, the artifact, and what happened when it was run. */
export function criticSections(work: Work, judged: Artifact, check: Check | undefined): Section[] {
  const { context } = work;
  const entry = entryOf(context.task);
  const files = judged.kind === "files" ? judged.files : [];
  const title = `## The ${judged.kind === "choice" ? nouns.choice : "work"} to judge`;
  return [
    ...taskSections(work, files),
    ...showArtifact(title, withLetter(judged, context.task), entry, judged.kind === "files" ? undefined : weights.entry),
    ...(check === undefined
      ? []
      : [{ head: "## What happened when it was run\n```\n", text: check.text, tail: "\n```", weight: weights.output }]),
    { text: `## Your answer\n${passesTests(check) ? askForBrokenSentence : askAbout(judged, context.task)}` },
  ];
}

function askAbout(judged: Artifact, { choices = [] }: PublicTask): string {
  if (judged.kind === "choice") return askForOption(areLetters(choices) ? "the right answer" : "the letter of the right option");
  return askForDefect(judged.kind === "files" ? "writing the whole program" : `writing the ${nouns[judged.kind]} anew`);
}

function askForDefect(without: string): string {
  return `Judge the work against the task. If it does what the task asks and you know of no real defect, answer with one word:
ACCEPT
Otherwise answer in this form, about the most important defect only, in at most five sentences and without ${without}:
REVISE: <what is wrong, where, and how to correct it>`;
}

/** A model that says its verdict first finds reasons for it afterwards; of a question the steps come first. */
function askForOption(right: string): string {
  return `Work the question out yourself in a few short steps. Then end with one line. If you come to the same option, it is:
ACCEPT
If you are sure that another option is right, it is:
REVISE: <${right}>, because <what is wrong with the answer>`;
}

/** For work that passes all tests: there small critics invent defects, so they must say which words of the task are broken. */
const askForBrokenSentence = `All tests pass. Go through the sentences of the task one by one. If the work does what they say, answer with one word:
ACCEPT
Otherwise quote the sentence of the task that the work breaks, word for word, and answer in this form, in at most three sentences:
REVISE "<the sentence of the task>": <what the work does instead, where, and how to correct it>`;
