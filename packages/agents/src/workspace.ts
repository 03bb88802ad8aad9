import { type FileEntry, isWorkspacePath, type PublicTask, sortFiles } from "@troupe/schema";

/** The most characters one file may have. */
const maxFile = 400_000;
/** The most characters all files together may have: well within what a sandbox lays out. */
const maxTotal = 8_000_000;
/** The most files a workspace may have. */
const maxFiles = 500;

/**
 * The files of one activation, in memory. It is laid out from the files given with the task and the input artifact over them;
 * it becomes an artifact only when the activation settles. The task's own tests lie beside the files whenever something is run,
 * but they can't be changed and are never part of the product.
 *
 * @example
 * const workspace = new Workspace(task, artifact.files);
 * workspace.write("main.py", "print(1)\n"); // undefined: it worked
 * workspace.write("../x", ""); // why it was refused
 */
export class Workspace {
  readonly #tests: ReadonlyMap<string, FileEntry>;
  readonly #files: Map<string, FileEntry>;

  constructor(task: Pick<PublicTask, "files" | "tests">, tree: readonly FileEntry[]) {
    this.#tests = byPath(task.tests);
    this.#files = byPath([...task.files, ...tree].filter((file) => !this.#tests.has(file.path)));
  }

  /** The tree as an artifact would hold it: sorted, without the task's tests. */
  tree(): FileEntry[] {
    return sortFiles([...this.#files.values()]);
  }

  /** The task's tests. */
  tests(): FileEntry[] {
    return [...this.#tests.values()];
  }

  read(path: string): FileEntry | undefined {
    return this.#tests.get(path) ?? this.#files.get(path);
  }

  /** Writes a file; answers why not when it is refused. */
  write(path: string, content: string): string | undefined {
    const refused = this.#refusal(path, content);
    if (refused === undefined) this.#files.set(path, { path, encoding: "utf8", content });
    return refused;
  }

  /** Goes back to a tree. */
  reset(tree: readonly FileEntry[]): void {
    this.#files.clear();
    for (const file of tree) this.#files.set(file.path, file);
  }

  #refusal(path: string, content: string): string | undefined {
    const shown = JSON.stringify(path.slice(0, 80));
    if (path.length > 512 || path === "" || !isWorkspacePath(path))
      return `${shown} was refused: a path must be relative and stay inside the workspace.`;
    if (this.#tests.has(path)) return `${shown} was refused: it is one of the task's tests, which can't be changed.`;
    if (content.length > maxFile) return `${shown} was refused: it is longer than ${maxFile} characters.`;
    if (this.#files.size >= maxFiles && !this.#files.has(path)) return `${shown} was refused: there are ${maxFiles} files already.`;
    const total = this.tree().reduce((sum, file) => sum + (file.path === path ? 0 : file.content.length), content.length);
    if (total > maxTotal) return `${shown} was refused: all files together would be longer than ${maxTotal} characters.`;
    const others = [...this.#files.keys(), ...this.#tests.keys()];
    if (others.some((other) => other.startsWith(`${path}/`) || path.startsWith(`${other}/`)))
      return `${shown} was refused: a file can't be a folder too.`;
    return undefined;
  }
}

/** Whether two trees hold the same files. */
export function sameTree(a: readonly FileEntry[], b: readonly FileEntry[]): boolean {
  return a.length === b.length && a.every((file, index) => file.path === b[index]?.path && file.content.trim() === b[index].content.trim());
}

function byPath(files: readonly FileEntry[]): Map<string, FileEntry> {
  return new Map(files.map((file) => [file.path, file]));
}
