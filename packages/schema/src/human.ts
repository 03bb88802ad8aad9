import type { Activation } from "./activation.ts";
import type { Artifact } from "./artifact.ts";
import { TroupeError } from "./error.ts";
import type { PublicTask } from "./task.ts";

/** A question that an activation of kind `wait` puts to a person. */
export interface HumanQuestion {
  readonly run: string;
  /** Who asks: its id, its label, and where it stands in the topology. */
  readonly activation: Activation;
  /** The question. */
  readonly ask: string;
  /** The answers to choose from; absent: any text. An answer may be an option's text or its number, counted from 1. */
  readonly options?: readonly string[] | undefined;
  /** What the question is about: the activation's inputs other than the task. */
  readonly shown: readonly Artifact[];
  readonly task: PublicTask;
  /** What was answered before and can't be taken: it is empty, or none of the options. */
  readonly refused?: string | undefined;
}

/** The port to a person: a terminal, a web page, a chat. */
export interface Human {
  /**
   * Asks, and resolves to the answer as the person gave it.
   *
   * @throws TroupeError `human_missing` when nobody can be asked (any more), or the signal's reason when aborted.
   */
  ask(question: HumanQuestion, signal: AbortSignal): Promise<string>;
}

/** The error of a question that nobody can be asked; its run can be resumed where somebody can. */
export function humanMissing({ run, activation, ask, options, refused }: HumanQuestion): TroupeError {
  const choices = options === undefined ? "" : ` (${options.join(" / ").slice(0, 300)})`;
  const why = refused === undefined ? "" : ` ${JSON.stringify(refused.slice(0, 100))} is no answer to it.`;
  return new TroupeError(
    "human_missing",
    `Activation ${activation.id} (${activation.label}) asks a person "${ask.slice(0, 300)}"${choices}.${why} Nobody can be asked here: answer in a terminal with \`troupe resume ${run}\`, or anywhere with \`troupe resume ${run} --answer TEXT\`.`,
    { details: { activation: activation.id, ask, options } },
  );
}
