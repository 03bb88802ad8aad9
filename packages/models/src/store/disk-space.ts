import { statfs } from "node:fs/promises";
import { TroupeError } from "@troupe/schema";
import { formatBytes } from "./format-bytes.ts";

/** Bytes that may still be written to the folder's disk, or nothing when the system doesn't say. */
export type FreeSpace = (folder: string) => Promise<number | undefined>;

/** Asks the system. */
export const systemFreeSpace: FreeSpace = async (folder) => {
  const stats = await statfs(folder).catch(() => undefined);
  return stats && stats.bavail * stats.bsize;
};

/**
 * Checks before anything is fetched that it will fit.
 *
 * @throws TroupeError `disk_full` that says how much is needed and how much there is.
 */
export async function requireSpace(folder: string, needed: number, freeSpace: FreeSpace): Promise<void> {
  const free = await freeSpace(folder);
  if (free === undefined || free >= needed) return;
  throw new TroupeError(
    "disk_full",
    `${formatBytes(needed)} are needed in ${folder}, but only ${formatBytes(free)} are free. Make room, or set TROUPE_HOME to a folder on a larger disk.`,
    { details: { folder, neededBytes: needed, freeBytes: free } },
  );
}
