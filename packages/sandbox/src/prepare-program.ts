import { type FileEntry, isWorkspacePath, type SandboxJob, type SandboxLimits, sortFiles, TroupeError } from "@troupe/schema";
import { defaultSandboxLimits } from "@troupe/schema";
import type { Program } from "./backend.ts";
import { stripTree } from "./strip-types.ts";

/** Files that a tree may have at most, on the way in and on the way out. */
export const maxFiles = 10_000;

/** A job made ready, and how to turn the tree afterwards back into the caller's terms. */
export interface PreparedProgram {
  readonly program: Program;
  /** Takes out what was only made to run the program, such as JavaScript stripped from TypeScript. */
  restore(after: readonly FileEntry[]): FileEntry[];
}

/**
 * Checks a job and makes it ready to run: limits filled in, paths checked, types stripped.
 *
 * @throws TroupeError `path_escapes` for a path that leaves the workspace; `call_invalid` for a tree that can't be laid out.
 */
export function prepareProgram(job: SandboxJob): PreparedProgram {
  const limits = completeLimits(job.limits ?? {});
  const files = sortFiles(job.files);
  checkTree(files, limits);
  const stripped = stripTree(files, job.command);
  const program = { files: stripped.files, command: stripped.command, stdin: job.stdin ?? "", limits };
  return { program, restore: (after) => sortFiles(stripped.restore(after)) };
}

/** Fills in the default limits; numbers that make no sense become the smallest that do. */
export function completeLimits(given: Partial<SandboxLimits>): SandboxLimits {
  const wanted = { ...defaultSandboxLimits, ...given };
  const atLeast = (value: number, least: number) => (Number.isFinite(value) ? Math.max(value, least) : least);
  return {
    seconds: atLeast(wanted.seconds, 0.05),
    cpuSeconds: Math.ceil(atLeast(wanted.cpuSeconds, 1)),
    memoryMb: Math.ceil(atLeast(wanted.memoryMb, 64)),
    processes: Math.ceil(atLeast(wanted.processes, 1)),
    fileMb: atLeast(wanted.fileMb, 1),
    outputBytes: Math.ceil(atLeast(wanted.outputBytes, 256)),
  };
}

/** The bytes of a file. */
export function contentOf(file: FileEntry): Buffer {
  return Buffer.from(file.content, file.encoding);
}

/** A file entry of raw bytes: as text when they are UTF-8, otherwise in base 64. */
export function toFileEntry(path: string, bytes: Buffer): FileEntry {
  const text = bytes.toString("utf8");
  if (Buffer.from(text, "utf8").equals(bytes)) return { path, encoding: "utf8", content: text };
  return { path, encoding: "base64", content: bytes.toString("base64") };
}

function checkTree(files: readonly FileEntry[], limits: SandboxLimits): void {
  if (files.length > maxFiles)
    throw new TroupeError("call_invalid", `The tree has ${files.length} files; at most ${maxFiles} can be laid out.`);
  const paths = new Set(files.map((file) => file.path));
  let bytes = 0;
  for (const file of files) {
    if (!isWorkspacePath(file.path)) {
      throw new TroupeError("path_escapes", `The path "${file.path}" leaves the workspace. Use a relative path inside it.`);
    }
    checkParents(file.path, paths);
    bytes += Buffer.byteLength(file.content, file.encoding);
  }
  if (bytes > limits.fileMb * 2 ** 20) {
    throw new TroupeError("call_invalid", `The tree has ${bytes} bytes, more than the ${limits.fileMb} MiB that a workspace holds.`);
  }
}

function checkParents(path: string, paths: ReadonlySet<string>): void {
  for (let cut = path.lastIndexOf("/"); cut > 0; cut = path.lastIndexOf("/", cut - 1)) {
    const parent = path.slice(0, cut);
    if (paths.has(parent))
      throw new TroupeError("call_invalid", `"${parent}" can't be a file, because "${path}" is inside it. Rename one.`);
  }
}
