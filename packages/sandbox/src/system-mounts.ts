import { lstat, readlink } from "node:fs/promises";
import type { Interpreter } from "./find-interpreters.ts";

/** What of the host's file system a sandbox shows, always read-only. */
export interface SystemMounts {
  readonly folders: readonly string[];
  readonly links: readonly { readonly path: string; readonly target: string }[];
}

/** System folders and files that programs need to start; none holds secrets or anything of a user. */
const systemPaths = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/alternatives",
  "/nix/store",
  "/gnu/store",
];

/** Looks which system paths this machine has, and adds what the interpreters need beyond them. */
export async function findSystemMounts(interpreters: readonly Interpreter[]): Promise<SystemMounts> {
  const folders: string[] = [];
  const links: { path: string; target: string }[] = [];
  for (const path of systemPaths) {
    const stat = await lstat(path).catch(() => undefined);
    if (stat?.isSymbolicLink()) links.push({ path, target: await readlink(path) });
    else if (stat !== undefined) folders.push(path);
  }
  const needed = new Set(interpreters.flatMap((interpreter) => interpreter.needs));
  const outside = [...needed].filter((path) => !isBelowAny(path, folders)).sort();
  for (const path of outside) if (!isBelowAny(path, folders)) folders.push(path);
  return { folders, links };
}

function isBelowAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) => path === folder || path.startsWith(`${folder}/`));
}
