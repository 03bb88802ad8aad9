import { relative, resolve } from "node:path";
import type { TroupeContext } from "../context.ts";

/** A path as it is read and shown: from where the process stands, whatever the command's working folder is. */
export function shownPath(file: string, { cwd }: Pick<TroupeContext, "cwd">): string {
  return relative(process.cwd(), resolve(cwd, file)) || ".";
}
