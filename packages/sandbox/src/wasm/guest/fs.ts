import { basename, dirname, resolve } from "./path.ts";
import { systemError, tree } from "./tree.ts";

/** Standard input under its usual names; the boot code sets the text. */
export const standardInput = { text: "" };

type Path = string | number | { pathname: string };

export function readFileSync(path: Path, options?: unknown): string {
  if (path === 0 || path === "/dev/stdin") return standardInput.text;
  const at = locate(path);
  const text = tree.files.get(at);
  if (text !== undefined) return text;
  void options;
  throw tree.folders.has(at) ? systemError("EISDIR", "illegal operation on a directory", "read", at) : missing("open", at);
}

export function writeFileSync(path: Path, data: unknown): void {
  const at = locate(path);
  if (!tree.folders.has(dirname(at))) throw missing("open", at);
  if (tree.folders.has(at)) throw systemError("EISDIR", "illegal operation on a directory", "open", at);
  tree.files.set(at, toText(data));
}

export function appendFileSync(path: Path, data: unknown): void {
  writeFileSync(path, (tree.files.get(locate(path)) ?? "") + toText(data));
}

export function existsSync(path: Path): boolean {
  return tree.files.has(locate(path)) || tree.folders.has(locate(path));
}

export function accessSync(path: Path): void {
  if (!existsSync(path)) throw missing("access", locate(path));
}

export function mkdirSync(path: Path, options?: { recursive?: boolean }): void {
  const at = locate(path);
  if (options?.recursive !== true && existsSync(at)) throw systemError("EEXIST", "file already exists", "mkdir", at);
  if (options?.recursive !== true && !tree.folders.has(dirname(at))) throw missing("mkdir", at);
  for (let folder = at; !tree.folders.has(folder); folder = dirname(folder)) tree.folders.add(folder);
}

export function mkdtempSync(prefix: string): string {
  const at = locate(`${prefix}${tree.folders.size}`);
  mkdirSync(at);
  return at;
}

export function readdirSync(path: Path, options?: { withFileTypes?: boolean }): unknown[] {
  const at = locate(path);
  if (!tree.folders.has(at)) throw missing("scandir", at);
  const all = [...tree.files.keys(), ...tree.folders].filter((each) => each !== at && dirname(each) === at).sort();
  return all.map((each) => (options?.withFileTypes === true ? { name: basename(each), ...kindOf(each) } : basename(each)));
}

export function statSync(path: Path, options?: { throwIfNoEntry?: boolean }): unknown {
  const at = locate(path);
  if (!existsSync(at)) {
    if (options?.throwIfNoEntry === false) return undefined;
    throw missing("stat", at);
  }
  return { size: tree.files.get(at)?.length ?? 0, mtimeMs: 0, mtime: new Date(0), ...kindOf(at) };
}

export function unlinkSync(path: Path): void {
  if (!tree.files.delete(locate(path))) throw missing("unlink", locate(path));
}

export function rmSync(path: Path, options?: { recursive?: boolean; force?: boolean }): void {
  const at = locate(path);
  if (!existsSync(at) && options?.force !== true) throw missing("rm", at);
  if (tree.folders.has(at) && options?.recursive !== true) throw systemError("EISDIR", "is a directory", "rm", at);
  const goes = (each: string) => each === at || each.startsWith(`${at}/`);
  for (const each of [...tree.files.keys()].filter(goes)) tree.files.delete(each);
  for (const each of [...tree.folders].filter(goes)) tree.folders.delete(each);
}

export function rmdirSync(path: Path): void {
  if (readdirSync(path).length > 0) throw systemError("ENOTEMPTY", "directory not empty", "rmdir", locate(path));
  tree.folders.delete(locate(path));
}

export function renameSync(from: Path, to: Path): void {
  const text = tree.files.get(locate(from));
  if (text === undefined) throw missing("rename", locate(from));
  writeFileSync(to, text);
  tree.files.delete(locate(from));
}

export function copyFileSync(from: Path, to: Path): void {
  writeFileSync(to, readFileSync(from));
}

/** The same calls as promises. */
export const promises = Object.fromEntries(
  Object.entries({
    readFile: readFileSync,
    writeFile: writeFileSync,
    appendFile: appendFileSync,
    access: accessSync,
    mkdir: mkdirSync,
    mkdtemp: mkdtempSync,
    readdir: readdirSync,
    stat: statSync,
    unlink: unlinkSync,
    rm: rmSync,
    rmdir: rmdirSync,
    rename: renameSync,
    copyFile: copyFileSync,
  }).map(([name, call]) => [name, (...given: unknown[]) => Promise.resolve().then(() => Reflect.apply(call, undefined, given) as unknown)]),
);

export const constants = Object.freeze({ F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1 });

function locate(path: Path): string {
  return resolve(typeof path === "object" ? path.pathname : String(path));
}

function toText(data: unknown): string {
  return typeof data === "string" ? data : String(data);
}

function missing(call: string, path: string): Error {
  return systemError("ENOENT", "no such file or directory", call, path);
}

function kindOf(path: string): { isFile(): boolean; isDirectory(): boolean; isSymbolicLink(): boolean } {
  const folder = tree.folders.has(path);
  return { isFile: () => !folder, isDirectory: () => folder, isSymbolicLink: () => false };
}
