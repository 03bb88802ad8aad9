import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, join, sep } from "node:path";
import { type FileEntry, type Problem, sortFiles, type Task, TroupeError, task } from "@troupe/schema";
import { parse } from "yaml";
import { z } from "zod";
import { explainIssues } from "./explain-issues.ts";
import { invalidTaskSet } from "./parse-task-set.ts";
import { problemAt } from "./set-lines.ts";

/** A task in the form that people write, with the solutions that prove its hidden tests. */
export interface TaskFolder {
  readonly task: Task;
  /** A solution that must pass; empty when the folder has none. */
  readonly reference: readonly FileEntry[];
  /** Solutions that must fail: the reference with some files replaced. */
  readonly wrong: readonly { readonly name: string; readonly files: readonly FileEntry[] }[];
}

const head = task
  .pick({ output: true, language: true, entry: true, calls: true, tags: true, source: true })
  .extend({
    test: z.string().min(1).describe("The hidden test to run, a file of hidden/"),
    seconds: z.number().positive().max(600).optional().describe("Time limit of the hidden test"),
  })
  .describe("What stands between the two `---` lines of a task.md");

/**
 * Reads a folder whose subfolders are one task each: `task.md` (head and prompt), `hidden/`, and if wanted `given/`, `tests/`,
 * `reference/` and `wrong/NAME/`. A folder whose name begins with `_` is no task; the files of `_shared/`, in the folder
 * or beside it, are added to the hidden tests that mention their name.
 *
 * @throws TroupeError `task_set_invalid` with the problems of all its tasks; `file_missing` when there is no task at all.
 */
export async function readTaskFolders(path: string, signal: AbortSignal): Promise<TaskFolder[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith("_"));
  const shared = [...(await readTree(join(path, "..", "_shared"), signal)), ...(await readTree(join(path, "_shared"), signal))];
  const folders: TaskFolder[] = [];
  const problems: Problem[] = [];
  for (const { name } of names.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const read = await readTaskFolder(join(path, name), shared, signal);
    if ("task" in read) folders.push(read);
    else problems.push(...read.problems);
  }
  if (problems.length > 0) throw invalidTaskSet(path, problems);
  if (folders.length === 0) throw new TroupeError("file_missing", `The folder ${path} holds no task: a subfolder with a task.md.`);
  return folders;
}

async function readTaskFolder(
  path: string,
  shared: readonly FileEntry[],
  signal: AbortSignal,
): Promise<TaskFolder | { problems: Problem[] }> {
  const file = join(path, "task.md");
  const source = await readFile(file, { encoding: "utf8", signal }).catch(() => "");
  const parts = /^---\n([\s\S]*?\n)---\n([\s\S]*)$/.exec(source.replaceAll("\r\n", "\n"));
  if (!parts) return { problems: [problemAt(file, 1, "A task.md begins with a head between two `---` lines.")] };
  const parsed = parseHead(parts[1] ?? "", file);
  if ("problems" in parsed) return parsed;
  const { test, seconds = 30, ...fields } = parsed.head;
  const hidden = await readTree(join(path, "hidden"), signal);
  if (!hidden.some((entry) => entry.path === test)) return { problems: [problemAt(file, 1, `There is no hidden test hidden/${test}.`)] };
  const mentioned = shared.filter((entry) => hidden.some((one) => one.content.includes(stem(entry.path))));
  const reference = await readTree(join(path, "reference"), signal);
  const read = {
    id: basename(path),
    prompt: (parts[2] ?? "").trim(),
    ...fields,
    files: await readTree(join(path, "given"), signal),
    tests: await readTree(join(path, "tests"), signal),
    grader: {
      kind: "tests",
      files: sortFiles([...mentioned, ...hidden]),
      command: { program: fields.language === "python" ? "python" : "node", args: [test] },
      seconds,
    },
  };
  const whole = task.safeParse(read);
  if (!whole.success) return { problems: explainIssues(whole.error.issues, { value: read, schema: task }, file, 1) };
  return { task: whole.data, reference, wrong: await readWrong(join(path, "wrong"), reference, signal) };
}

function parseHead(source: string, file: string): { head: z.infer<typeof head> } | { problems: Problem[] } {
  try {
    const value: unknown = parse(source);
    const parsed = head.safeParse(value);
    if (parsed.success) return { head: parsed.data };
    return { problems: explainIssues(parsed.error.issues, { value, schema: head }, file, 1) };
  } catch (error) {
    return { problems: [problemAt(file, 1, error instanceof Error ? error.message : String(error))] };
  }
}

async function readWrong(path: string, reference: readonly FileEntry[], signal: AbortSignal): Promise<TaskFolder["wrong"]> {
  const names = await readdir(path).catch(() => []);
  const read = names.sort().map(async (name) => {
    const replaced = await readTree(join(path, name), signal);
    return { name, files: sortFiles([...reference, ...replaced]) };
  });
  return Promise.all(read);
}

/** The regular files below a folder, sorted; none when the folder is missing. */
async function readTree(path: string, signal: AbortSignal): Promise<FileEntry[]> {
  const below = (await readdir(path, { recursive: true }).catch(() => [])).filter((one) => !one.includes("__pycache__"));
  const isFile = await Promise.all(below.map(async (one) => (await lstat(join(path, one))).isFile()));
  const paths = below.filter((_, index) => isFile[index]).map((one) => one.split(sep).join("/"));
  const read = paths.map((one) => readEntry(path, one, signal));
  return sortFiles(await Promise.all(read));
}

async function readEntry(folder: string, path: string, signal: AbortSignal): Promise<FileEntry> {
  const bytes = await readFile(join(folder, path), { signal });
  const text = bytes.toString("utf8");
  return Buffer.from(text).equals(bytes)
    ? { path, encoding: "utf8", content: text }
    : { path, encoding: "base64", content: bytes.toString("base64") };
}

function stem(path: string): string {
  return basename(path).replace(/\.[^.]*$/, "");
}
