import { resolve } from "node:path";
import { isTroupeError, TroupeError } from "@troupe/schema";
import type { TroupeContext } from "../context.ts";

/**
 * Reads a file that the caller named with a flag.
 *
 * @throws TroupeError `file_missing` and `file_unreadable`, which name the file as it was given, and the flag.
 */
export async function readFlagFile<T>(
  { flag, file }: { readonly flag: string; readonly file: string },
  { cwd }: Pick<TroupeContext, "cwd">,
  read: (path: string) => Promise<T>,
): Promise<T> {
  try {
    return await read(resolve(cwd, file));
  } catch (error) {
    if (isTroupeError(error)) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "ENOENT")
      throw new TroupeError("file_missing", `There is no file ${file}. Check the path after ${flag}.`, { cause: error });
    const why = code === "EISDIR" ? "is a folder" : `can't be read: ${message}`;
    throw new TroupeError("file_unreadable", `${file} ${why}. Name a file after ${flag}.`, { cause: error });
  }
}
