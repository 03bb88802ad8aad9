import { type Task, TroupeError } from "@troupe/schema";

/** What a person says on the command line of the product. */
export interface ProductFlags {
  readonly output?: Task["output"];
  readonly choices?: readonly string[];
}

/** Options are named by a letter each. */
const mostChoices = 26;

/**
 * The task that words and flags describe.
 *
 * @throws TroupeError `call_invalid` for empty words, and for flags that can't go together.
 */
export function wordsTask(prompt: string, { output, choices }: ProductFlags): Task {
  if (prompt.trim() === "") throw new TroupeError("call_invalid", "The task is empty. Say what to make.");
  const isChoice = output === "choice" || (output === undefined && choices !== undefined);
  if (isChoice) checkChoices(choices ?? []);
  else if (choices !== undefined)
    throw new TroupeError("call_invalid", `--choices are the options of a choice, but --output is ${output}. Leave one of them out.`);
  return {
    id: "task",
    prompt,
    output: isChoice ? "choice" : (output ?? "files"),
    ...(choices === undefined ? {} : { choices: choices.map((choice) => choice.trim()) }),
    language: "python",
    files: [],
    tests: [],
    tags: [],
  };
}

function checkChoices(choices: readonly string[]): void {
  const plain = choices.map((choice) => choice.trim());
  const refuse = (why: string) => new TroupeError("call_invalid", `${why} For example: --choices "yes" --choices "no".`);
  if (plain.length < 2)
    throw refuse(`A choice needs at least two options; there ${plain.length === 1 ? "is one" : "are none"}. Name each with --choices.`);
  if (plain.length > mostChoices) throw refuse(`A choice can have ${mostChoices} options at most; there are ${plain.length}.`);
  if (plain.includes("")) throw refuse("An option of --choices is empty.");
  const twice = plain.find((choice, index) => plain.indexOf(choice) !== index);
  if (twice !== undefined) throw refuse(`The option ${JSON.stringify(twice)} is there twice.`);
}
