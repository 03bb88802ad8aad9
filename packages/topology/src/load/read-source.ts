import { basename, dirname, join, resolve } from "node:path";
import { TroupeError } from "@troupe/schema";
import { maxFileBytes } from "../yaml/decode-text.ts";
import { nearest } from "../yaml/did-you-mean.ts";
import { quote } from "../yaml/quote.ts";
import type { FileAccess } from "./file-access.ts";

/**
 * Reads a file that the user named; of one that is too big just enough to see that.
 *
 * @throws TroupeError `file_missing`, or `file_unreadable` when it is not a regular file or may not be read.
 */
export async function readSource(path: string, files: FileAccess, signal: AbortSignal): Promise<Uint8Array> {
  signal.throwIfAborted();
  const file = resolve(path);
  const kind = await files.kindOf(file);
  if (kind === undefined) {
    const name = nearest(basename(path), await files.list(dirname(file)));
    const near = name === undefined ? "Check the path." : `Did you mean ${quote(join(dirname(path), name))}?`;
    throw new TroupeError("file_missing", `There is no file ${quote(path)}. ${near}`, { details: { file: path } });
  }
  if (kind !== "file")
    throw new TroupeError("file_unreadable", `${quote(path)} is not a regular file. Name a YAML file.`, { details: { file: path } });
  try {
    return await files.read(file, maxFileBytes + 1);
  } catch (cause) {
    throw new TroupeError("file_unreadable", `The file ${quote(path)} can't be read. Check its permissions.`, {
      cause,
      details: { file: path },
    });
  }
}
