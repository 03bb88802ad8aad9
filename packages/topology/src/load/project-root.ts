import { dirname, join } from "node:path";
import type { FileAccess } from "./file-access.ts";

const marks = ["troupe.yaml", "package.json", ".git"];

/** The project that a folder belongs to: the nearest folder upwards with `troupe.yaml`, `package.json` or `.git`; else the folder itself. */
export async function findProjectRoot(folder: string, files: FileAccess): Promise<string> {
  for (const candidate of foldersUpwards(folder)) {
    for (const mark of marks) if ((await files.kindOf(join(candidate, mark))) !== undefined) return candidate;
  }
  return folder;
}

/** A folder and all folders above it, up to and including `last` when that is one of them. */
export function foldersUpwards(folder: string, last?: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== last && dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}
