import {
  type ActivationContext,
  type ActivationRunner,
  type Artifact,
  type Clock,
  type Human,
  type HumanQuestion,
  humanMissing,
  TroupeError,
} from "@troupe/schema";
import { withinTime } from "./within-time.ts";

/** How often a person is asked again after an answer that can't be taken. */
const mostRepeats = 3;

/** What waiting for people needs besides the activation itself. */
export interface WaitRunnerOptions {
  /** The run's name. */
  readonly run: string;
  /** Who is asked; undefined: nobody can be asked here. */
  readonly human: Human | undefined;
  readonly clock: Clock;
}

/**
 * Makes the runner for activations of kind `wait`: it asks a person and gives a `choice` when there are options, else a `text`.
 * An answer may be an option's text or its number. One that is neither, or empty, is asked for again, at most three times.
 *
 * @throws TroupeError through the runner: `human_missing`, `human_silent` (nobody answered within `seconds`, and the question has no
 *   `otherwise`), `human_unclear` (no answer could be taken).
 *
 * @example
 * const wait = createWaitRunner({ run: "20260301-140500-abcd", human: { ask: async () => "yes" }, clock: systemClock });
 */
export function createWaitRunner({ run, human, clock }: WaitRunnerOptions): ActivationRunner {
  return async (context) => {
    const { activation, signal, task, inputs } = context;
    const { wait } = activation;
    if (wait === undefined) throw new TroupeError("internal", `${nameOf(context)} waits, but says not for what.`);
    const shown = inputs.filter(({ name }) => name !== "task").map(({ artifact }) => artifact);
    const question: HumanQuestion = { run, activation, ask: wait.ask, options: wait.options, shown, task };
    if (human === undefined) throw humanMissing(question);
    const asked = await withinTime(wait.seconds, { clock, signal }, (until) => askUntilTaken(human, question, until, context));
    if (asked.inTime) return asked.value;
    if (wait.otherwise === undefined)
      throw new TroupeError(
        "human_silent",
        `Nobody answered ${nameOf(context)} within ${wait.seconds} s. Go on when somebody is there: \`troupe resume ${run}\`.`,
      );
    return otherwiseArtifact(wait.otherwise, wait.options);
  };
}

async function askUntilTaken(human: Human, question: HumanQuestion, signal: AbortSignal, context: ActivationContext): Promise<Artifact> {
  let refused: string | undefined;
  for (let asked = 0; asked <= mostRepeats; asked++) {
    const answer = await human.ask(refused === undefined ? question : { ...question, refused }, signal);
    const taken = toArtifact(answer, question.options);
    if (taken !== undefined) return taken;
    refused = answer.trim();
  }
  const wanted = question.options === undefined ? "any text" : question.options.map((option) => JSON.stringify(option)).join(", ");
  throw new TroupeError(
    "human_unclear",
    `${nameOf(context)} was answered ${mostRepeats + 1} times, and not once with ${wanted}; last with ${JSON.stringify(refused)}. Ask again: \`troupe resume ${question.run}\`.`,
  );
}

/** An answer as an artifact; undefined when it is empty or none of the options. */
function toArtifact(answer: string, options: readonly string[] | undefined): Artifact | undefined {
  const said = answer.trim();
  if (options === undefined) return said === "" ? undefined : { kind: "text", text: said };
  const choice = options.find((option) => isSame(option, said)) ?? options[Number(/^(\d{1,3})[.)]?$/.exec(said)?.[1] ?? 0) - 1];
  return choice === undefined ? undefined : { kind: "choice", choice };
}

/** What stands for the answer of somebody who gave none. */
function otherwiseArtifact(otherwise: string, options: readonly string[] | undefined): Artifact {
  if (options === undefined) return { kind: "text", text: otherwise };
  const choice = options.find((option) => isSame(option, otherwise.trim())) ?? otherwise;
  return { kind: "choice", choice, reason: "Nobody answered in time." };
}

function isSame(option: string, said: string): boolean {
  return option.trim().toLowerCase() === said.toLowerCase();
}

function nameOf({ activation }: ActivationContext): string {
  return `Activation ${activation.id} (${activation.label})`;
}
