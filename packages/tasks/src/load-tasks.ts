import { type Task, TroupeError, isTroupeError } from "@troupe/schema";
import { builtinSets, builtinSetUrl } from "./builtin-sets.ts";
import { parseTaskSet } from "./parse-task-set.ts";
import { readRegularFile } from "./read-regular-file.ts";

/** The largest file that is taken for a task set: HumanEval has 214 KB, MMLU-Pro less than 20 MB. */
const mostBytes = 256 * 1024 * 1024;

/** What {@link loadTasks} may be told. */
export interface LoadTasksOptions {
  readonly signal: AbortSignal;
  /** Reads a file; default: from the disk. */
  readonly readFile?: (path: string | URL, signal: AbortSignal) => Promise<Uint8Array>;
  /** Most tasks to return, from the first; default: all. */
  readonly limit?: number;
  /** Only tasks that carry every one of these tags. */
  readonly tags?: readonly string[];
}

/**
 * Loads a task set: a built-in one by name, a file in our format or that of a published set (see {@link parseTaskSet}), or a folder of task
 * folders.
 *
 * @param nameOrPath a name of {@link builtinSets}, or a path.
 * @throws TroupeError `task_set_invalid` with every bad line; `file_missing`, `file_unreadable`; `call_invalid` for a bad limit; `cancelled`.
 * @example
 * const tasks = await loadTasks("starter", { signal, tags: ["python", "function"], limit: 10 });
 */
export async function loadTasks(nameOrPath: string, options: LoadTasksOptions): Promise<Task[]> {
  const { signal, limit = Number.POSITIVE_INFINITY, tags = [] } = options;
  if (!(limit >= 1)) throw new TroupeError("call_invalid", `The limit of a task set must be at least 1, not ${limit}.`);
  const tasks = await loadAll(nameOrPath, options.readFile ?? readFromDisk, signal);
  const chosen = tasks.filter((task) => tags.every((tag) => task.tags.includes(tag)));
  return chosen.slice(0, limit);
}

async function loadAll(nameOrPath: string, read: NonNullable<LoadTasksOptions["readFile"]>, signal: AbortSignal): Promise<Task[]> {
  try {
    return parseTaskSet(await read(builtinSetUrl(nameOrPath) ?? nameOrPath, signal), nameOrPath);
  } catch (error) {
    if (signal.aborted) throw new TroupeError("cancelled", `Reading the task set ${nameOrPath} was interrupted.`, { cause: error });
    if (errno(error) !== "EISDIR") throw explain(error, nameOrPath);
  }
  // The YAML reader is loaded only by those who need it.
  const { readTaskFolders } = await import("./task-folder.ts");
  return (await readTaskFolders(nameOrPath, signal)).map((folder) => folder.task);
}

function readFromDisk(path: string | URL, signal: AbortSignal): Promise<Uint8Array> {
  return readRegularFile(path, mostBytes, signal);
}

function explain(error: unknown, path: string): unknown {
  const code = errno(error);
  if (code === undefined) return error;
  if (code !== "ENOENT" && code !== "ENOTDIR") {
    return new TroupeError("file_unreadable", `The task set ${path} can't be read (${code}).`, { cause: error });
  }
  const names = builtinSets.map((set) => set.name).join(", ");
  return new TroupeError(
    "file_missing",
    `There is no task set ${path}: neither a file or folder nor one of the built-in sets (${names}).`,
    {
      cause: error,
    },
  );
}

function errno(error: unknown): string | undefined {
  if (isTroupeError(error) || !(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}
