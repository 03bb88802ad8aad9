import { readFile, stat } from "node:fs/promises";
import { TroupeError } from "@troupe/schema";

/**
 * The bytes of a regular file: a device or a pipe, which may never end, is refused before anything is read.
 *
 * @param most the most bytes it may have.
 * @throws TroupeError `file_unreadable`; what the system says (`ENOENT`, `EISDIR`, …) as it is.
 */
export async function readRegularFile(path: string | URL, most: number, signal: AbortSignal): Promise<Uint8Array> {
  // Before it is opened: opening a pipe waits for somebody to write into it.
  const stats = await stat(path);
  if (stats.isDirectory()) throw Object.assign(new Error(`${String(path)} is a folder`), { code: "EISDIR" });
  if (!stats.isFile()) throw new TroupeError("file_unreadable", `${String(path)} is not a regular file. Name a file.`);
  if (stats.size > most) {
    throw new TroupeError("file_unreadable", `${String(path)} has ${stats.size} bytes; at most ${most} can be read. Split it.`);
  }
  return readFile(path, { signal });
}
