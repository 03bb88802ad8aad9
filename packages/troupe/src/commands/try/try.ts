import { readdir, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Command, type FileEntry, type ProjectFile, TroupeError } from "@troupe/schema";
import { createSandbox, currentHost } from "@troupe/sandbox";
import type { TroupeContext } from "../../context.ts";
import { exitCodes } from "../../exit-code.ts";

interface TryFlags {
  readonly entry?: string;
  readonly stdin?: string;
  readonly sandbox: ProjectFile["sandbox"];
}

const usualEntries = ["main.py", "main.js", "main.ts"];

/** Runs a product in the sandbox and ends with its exit code. */
export async function tryOut(this: TroupeContext, flags: TryFlags, folder: string, ...words: string[]): Promise<void> {
  const { stdout, stderr, env } = this.process;
  const files = await readTree(resolve(this.cwd, folder));
  const entry = flags.entry ?? usualEntries.find((name) => files.some((file) => file.path === name));
  if (entry === undefined || !files.some((file) => file.path === entry)) {
    throw new TroupeError("call_invalid", `${folder} has no ${entry ?? usualEntries.join(", ")}. Name the file to run with --entry.`);
  }
  const stdin = flags.stdin === undefined ? "" : await readFile(resolve(this.cwd, flags.stdin), "utf8");
  const sandbox = await createSandbox(flags.sandbox, { signal: this.signal, host: currentHost(env) });
  const command: Command = { program: entry.endsWith(".py") ? "python" : "node", args: [entry, ...words] };
  const result = await sandbox.run({ files, command, stdin }, this.signal);
  stdout.write(result.stdout);
  stderr.write(result.stderr);
  if (result.ended !== "exited") this.messages.show(`The program was ended: ${result.ended}.`);
  this.exit = result.exitCode ?? exitCodes.failed;
}

/** The regular files of a folder; links and hidden files are left out. */
async function readTree(folder: string): Promise<FileEntry[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: Error) => {
    throw new TroupeError("file_missing", `${folder} can't be read: ${error.message}. Name the folder of a product, as --out had it.`, {
      cause: error,
    });
  });
  const visible = entries.filter((entry) => entry.isFile() && !entry.name.startsWith("."));
  return Promise.all(
    visible.map(async (entry): Promise<FileEntry> => {
      const path = join(entry.parentPath, entry.name);
      const content = (await readFile(path)).toString("base64");
      return { path: path.slice(folder.length + 1).replaceAll("\\", "/"), encoding: "base64", content };
    }),
  );
}
