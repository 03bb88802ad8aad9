import { mkdirSync, statSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes a folder and those above it. Node's own recursive `mkdir` never returns where the system refuses with "no such file" although
 * the folder above is there, as in `/proc`.
 *
 * @throws the system's error when one of them can't be made.
 */
export function makeFolder(path: string): void {
  const refused = tryToMake(path);
  if (refused === undefined) return;
  const above = dirname(path);
  if (refused.code !== "ENOENT" || above === path) throw refused;
  makeFolder(above);
  const again = tryToMake(path);
  if (again !== undefined) throw again;
}

function tryToMake(path: string): NodeJS.ErrnoException | undefined {
  try {
    mkdirSync(path);
    return undefined;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return undefined;
    return error as NodeJS.ErrnoException;
  }
}
