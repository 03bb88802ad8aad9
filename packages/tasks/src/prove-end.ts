import { readFile } from "node:fs/promises";
import { type Command, type FileEntry, TroupeError } from "@troupe/schema";

const wrappers = { python: "troupe_prove.py", node: "troupe_prove.mjs" } as const;

/** A hidden test wrapped so that reaching its end can be told from an exit with 0 on the way. */
export interface ProvedTest {
  /** The wrapper, to be laid beside the test. */
  readonly file: FileEntry;
  readonly command: Command;
  /** What the wrapper reads: the name of the file that it leaves at the end. */
  readonly stdin: string;
}

/**
 * Wraps a test so that it leaves the file `proof` when, and only when, it came to its end.
 *
 * The name is told on standard input, which the wrapper reads before anything of the product runs. This stops products that
 * exit early, by accident or out of laziness; it is no defence against one that was written to search the memory of the test.
 *
 * @param proof a name that can't be guessed.
 * @throws TroupeError `task_set_invalid` when the command begins with neither a test file nor, for Python, `-m MODULE`.
 */
export async function proveEnd(command: Command, proof: string, signal: AbortSignal): Promise<ProvedTest> {
  const [first = "-", second] = command.args;
  const isModule = command.program === "python" && first === "-m" && second !== undefined;
  if (first.startsWith("-") && !isModule) {
    const call = [command.program, ...command.args].join(" ");
    throw new TroupeError("task_set_invalid", `The grader's command \`${call}\` must begin with the file of the hidden test.`);
  }
  const path = wrappers[command.program];
  const content = await readFile(new URL(`../wrappers/${path}`, import.meta.url), { encoding: "utf8", signal });
  return {
    file: { path, encoding: "utf8", content },
    command: { program: command.program, args: [path, ...command.args] },
    stdin: `${proof}\n`,
  };
}
