import { readFile } from "node:fs/promises";
import type { Command, FileEntry } from "@troupe/schema";

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
 */
export async function proveEnd(command: Command, proof: string, signal: AbortSignal): Promise<ProvedTest> {
  const path = wrappers[command.program];
  const content = await readFile(new URL(`../wrappers/${path}`, import.meta.url), { encoding: "utf8", signal });
  return {
    file: { path, encoding: "utf8", content },
    command: { program: command.program, args: [path, ...command.args] },
    stdin: `${proof}\n`,
  };
}
