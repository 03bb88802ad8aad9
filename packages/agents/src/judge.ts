import { type Artifact, type ChatAnswer, type PublicTask, TroupeError, type Verdict } from "@troupe/schema";
import { readChoiceVerdict } from "./answer/read-choice-verdict.ts";
import { readVerdict, shortenCritique } from "./answer/read-verdict.ts";
import { askUntilRead, type Unusable } from "./ask-until-read.ts";
import { type Check, checkTree, passesTests } from "./checks/check-tree.ts";
import { quotesTask } from "./answer/quotes-task.ts";
import { criticSections } from "./prompts/critic-prompt.ts";
import type { Material } from "./material.ts";
import type { Work } from "./work.ts";

/**
 * A critic at work: it runs what its tools allow, judges the artifact, and answers with a verdict.
 * What fails when it is run is never accepted, whatever the model says; what passes all tests is revised only for words of the task.
 */
export async function judge(work: Work): Promise<Artifact> {
  const judged = judgedOf(work.material);
  if (judged === undefined)
    throw new TroupeError("internal", `The critic ${work.card.name} has nothing to judge: no input is named artifact.`);
  const check = judged.kind === "files" ? await checkTree(work, judged.files) : undefined;
  let reasked = false;
  const verdict = await askUntilRead(work, criticSections(work, judged, check), (answer): Verdict | Unusable => {
    const read = usableVerdict(answer, readerFor(judged, work.context.task), reasked || work.talk.left === 0);
    reasked = true;
    return read;
  });
  const isInvented = verdict.verdict === "revise" && passesTests(check) && !quotesTask(verdict.critique, work.material.task);
  return { kind: "json", value: isInvented ? notTaken(verdict) : withFacts(verdict, check) };
}

/** What a critic judges. */
export function judgedOf({ artifact, candidates }: Material): Artifact | undefined {
  return artifact ?? candidates[0];
}

function readerFor(judged: Artifact, { choices }: PublicTask): (text: string) => Verdict | undefined {
  return judged.kind === "choice" ? (text) => readChoiceVerdict(text, judged.choice, choices) : readVerdict;
}

function usableVerdict({ text }: ChatAnswer, reader: (text: string) => Verdict | undefined, isLast: boolean): Verdict | Unusable {
  const read = reader(text);
  if (read === undefined) return { unusable: text.trim() === "" ? "it was empty." : "it says neither ACCEPT nor REVISE." };
  if (read.verdict === "accept" || read.critique !== "") return read;
  // Asking for changes without naming one gives nobody anything to do.
  return isLast ? { verdict: "accept", critique: "No defect was named." } : { unusable: "it says REVISE but names no defect." };
}

/** A program that passes its tests is not put at risk for a defect that no word of the task speaks of. */
function notTaken({ critique }: Verdict): Verdict {
  return { verdict: "accept", critique: `All tests pass, and no sentence of the task was quoted that it breaks. Not taken: ${critique}` };
}

function withFacts(verdict: Verdict, check: Check | undefined): Verdict {
  if (check === undefined || check.ok) return verdict;
  const said = verdict.verdict === "revise" ? `${verdict.critique}\n\n` : "";
  const fact = `It fails when it is run:\n${check.text.slice(-700)}`;
  return { verdict: "revise", critique: `${shortenCritique(said).slice(0, 700)}${said === "" ? "" : "\n\n"}${fact}` };
}
