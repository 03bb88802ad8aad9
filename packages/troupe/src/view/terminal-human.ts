import { createInterface } from "node:readline";
import { type Artifact, type Human, type HumanQuestion, humanMissing } from "@troupe/schema";
import type { InputStream, OutputStream, TroupeContext } from "../context.ts";
import { type Colors, colorsOf } from "./colors.ts";
import { cutLine } from "./cut-line.ts";
import { artifactLines } from "./format-transcript.ts";
import { oneLine, plainText } from "./terminal-text.ts";
import { plural } from "./words.ts";

/** Lines of each artifact that are shown with a question. */
const shownLines = 12;

/** The terminal that somebody sits at. */
export interface Terminal {
  readonly stdin: InputStream;
  readonly stderr: OutputStream;
  readonly colors: Colors;
}

/** The person at the terminal of a command; undefined when input or output of questions is none. */
export function terminalHuman({ process: { stdin, stderr, env } }: Pick<TroupeContext, "process">): TerminalHuman | undefined {
  if (stdin?.isTTY !== true || stderr.isTTY !== true) return undefined;
  return new TerminalHuman({ stdin, stderr, colors: colorsOf(stderr, env) });
}

/** Asks the person at a terminal: one question at a time on stderr, the answer is a line of stdin. What else draws there pauses. */
export class TerminalHuman implements Human {
  readonly #terminal: Terminal;
  #pause: () => () => void = () => () => undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** @param pause keeps others from writing to the terminal until its answer is called. */
  pauses(pause: () => () => void): void {
    this.#pause = pause;
  }

  ask(question: HumanQuestion, signal: AbortSignal): Promise<string> {
    const answer = this.#turn.then(() => this.#askNow(question, signal));
    this.#turn = answer.catch(() => undefined);
    return answer;
  }

  async #askNow(question: HumanQuestion, signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const { stdin, stderr } = this.#terminal;
    const resume = this.#pause();
    try {
      stderr.write(`${questionLines(question, this.#terminal).join("\n")}\n> `);
      const answer = await readLine(stdin, signal);
      if (answer !== undefined) return answer;
      throw humanMissing(question);
    } catch (thrown) {
      // The cursor still stands behind the prompt.
      stderr.write("\n");
      throw thrown;
    } finally {
      resume();
    }
  }
}

function questionLines(question: HumanQuestion, { stderr, colors }: Terminal): string[] {
  const { ask, options, refused, activation } = question;
  const columns = Math.max(20, (stderr.columns ?? 80) - 1);
  const choices = options?.map((option, index) => `  ${index + 1}  ${oneLine(option)}`) ?? [];
  if (refused !== undefined) {
    const why = refused === "" ? "The answer is empty." : `${JSON.stringify(oneLine(refused).slice(0, 60))} is none of the options.`;
    return [colors.yellow(why), ...choices];
  }
  const title = `? #${activation.id} ${oneLine(activation.label)} asks you`;
  const shown = question.shown.flatMap((artifact) => shownArtifact(artifact, question, colors));
  return ["", colors.bold(colors.cyan(title)), ...shown.map((line) => cutLine(line, columns)), plainText(ask).trim(), ...choices];
}

function shownArtifact(artifact: Artifact, { run }: HumanQuestion, colors: Colors): string[] {
  const lines = artifactLines(artifact, colors);
  if (lines.length <= shownLines) return lines;
  const more = plural(lines.length - shownLines, "more line");
  return [...lines.slice(0, shownLines), colors.dim(`… ${more}: troupe show ${run} --transcript, in another terminal`)];
}

/** The next line, or undefined when the input ends before there is one. */
async function readLine(input: InputStream, signal: AbortSignal): Promise<string | undefined> {
  // Not as a terminal of its own: the system edits the line, and Ctrl-C stays a signal.
  const lines = createInterface({ input, terminal: false });
  let stop = (): void => undefined;
  try {
    return await new Promise<string | undefined>((resolve, reject) => {
      stop = () => reject(signal.reason);
      signal.addEventListener("abort", stop, { once: true });
      lines.once("line", resolve);
      lines.once("close", () => resolve(undefined));
    });
  } finally {
    signal.removeEventListener("abort", stop);
    lines.close();
  }
}
