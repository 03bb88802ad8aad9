import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import type { FileAccess } from "@troupe/runtime";

/** What stands in the topmost folder of a project. */
const marks = ["troupe.yaml", "package.json", ".git"];

/**
 * Finds what a file of a project names: in the folder of that file, or in one above it, up to the project's folder, which is the nearest
 * one with `troupe.yaml`, `package.json` or `.git`.
 *
 * @returns the path from where the process stands, as messages show it; undefined when nothing has this name.
 */
export async function findUpwards(name: string, folder: string, files: FileAccess): Promise<string | undefined> {
  if (isAbsolute(name)) return (await files.kindOf(name)) === undefined ? undefined : name;
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, name);
    if ((await files.kindOf(path)) !== undefined) return relative(process.cwd(), path) || ".";
    if (at === dirname(at) || (await isMarked(at, files))) return undefined;
  }
}

async function isMarked(folder: string, files: FileAccess): Promise<boolean> {
  for (const mark of marks) if ((await files.kindOf(join(folder, mark))) !== undefined) return true;
  return false;
}
