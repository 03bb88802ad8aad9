import { isUtf8 } from "node:buffer";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Command, type FileEntry, type ProjectFile, TroupeError } from "@troupe/schema";
import { createSandbox, currentHost } from "@troupe/sandbox";
import type { TroupeContext } from "../../context.ts";
import { exitCodes } from "../../exit-code.ts";
import { listFiles } from "../list-files.ts";
import { readFlagFile } from "../read-flag-file.ts";

interface TryFlags {
  readonly entry?: string;
  readonly stdin?: string;
  readonly sandbox: ProjectFile["sandbox"];
}

const usualEntries = ["main.py", "main.js", "main.ts"];

/** Runs a product in the sandbox and ends with its exit code. */
export async function tryOut(this: TroupeContext, flags: TryFlags, folder: string, ...words: string[]): Promise<void> {
  const { stdout, stderr, env } = this.process;
  const files = await readTree(folder, this);
  const entry = flags.entry ?? usualEntries.find((name) => files.some((file) => file.path === name));
  if (entry === undefined || !files.some((file) => file.path === entry)) {
    throw new TroupeError("call_invalid", `${folder} has no ${entry ?? "main.py, main.js or main.ts"}. Name the file to run with --entry.`);
  }
  const stdin = flags.stdin === undefined ? "" : await readInput(flags.stdin, this);
  const sandbox = await createSandbox(flags.sandbox, { signal: this.signal, host: currentHost(env) });
  const command: Command = { program: entry.endsWith(".py") ? "python" : "node", args: [entry, ...words] };
  const result = await sandbox.run({ files, command, stdin }, this.signal);
  stdout.write(result.stdout);
  stderr.write(result.stderr);
  if (result.ended !== "exited") this.messages.show(`The program was ended: ${result.ended}.`);
  this.exit = result.exitCode ?? exitCodes.failed;
}

function readInput(file: string, context: TroupeContext): Promise<string> {
  const { signal } = context;
  return readFlagFile({ flag: "--stdin", file }, context, (path) => readFile(path, { encoding: "utf8", signal }));
}

async function readTree(given: string, { cwd, signal }: TroupeContext): Promise<FileEntry[]> {
  const folder = resolve(cwd, given);
  const paths = await listFiles(folder).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "ENOENT" ? "is not there" : error.code === "ENOTDIR" ? "is not a folder" : `can't be read: ${error.message}`;
    throw new TroupeError("file_missing", `${given} ${why}. Name the folder of a product, as --out had it.`, { cause: error });
  });
  return Promise.all(paths.map(async (path) => entryOf(path, await readFile(join(folder, path), { signal }))));
}

/** Text stays text, because the sandbox takes the types out of TypeScript. */
function entryOf(path: string, bytes: Buffer): FileEntry {
  const encoding = isUtf8(bytes) && !bytes.includes(0) ? "utf8" : "base64";
  return { path, encoding, content: bytes.toString(encoding) };
}
