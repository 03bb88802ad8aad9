/** The guest's files: contents by absolute path, and the folders among them. */
export interface GuestTree {
  readonly files: Map<string, string>;
  readonly folders: Set<string>;
}

/** The one tree of the guest; the boot code fills it. */
export const tree: GuestTree = { files: new Map(), folders: new Set(["/", "/workspace", "/tmp"]) };
export const workspace = "/workspace";

/** An error as Node's `fs` throws it. */
export function systemError(code: string, text: string, call: string, path: string): Error {
  return Object.assign(new Error(`${code}: ${text}, ${call} '${path}'`), { code, syscall: call, path, errno: -1 });
}
