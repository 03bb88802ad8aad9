import { open, readdir, realpath, stat } from "node:fs/promises";

/** What is read of a file system; injected, so that tests need none. Paths are absolute. */
export interface FileAccess {
  /** What a path is, links followed; undefined: nothing. */
  kindOf(path: string): Promise<"file" | "folder" | "other" | undefined>;
  /** The beginning of a file. */
  read(path: string, mostBytes: number): Promise<Uint8Array>;
  /** The path with every link followed. */
  realPath(path: string): Promise<string>;
  /** Names in a folder; empty when it can't be read. */
  list(path: string): Promise<string[]>;
}

/** The machine's file system. */
export const nodeFiles: FileAccess = {
  kindOf: async (path) => {
    const found = await stat(path).catch(absent);
    if (found === undefined) return undefined;
    return found.isFile() ? "file" : found.isDirectory() ? "folder" : "other";
  },
  read: async (path, mostBytes) => {
    const file = await open(path, "r");
    try {
      const buffer = new Uint8Array(mostBytes);
      let length = 0;
      for (;;) {
        const { bytesRead } = await file.read(buffer, length, mostBytes - length, length);
        length += bytesRead;
        if (bytesRead === 0 || length === mostBytes) return buffer.subarray(0, length);
      }
    } finally {
      await file.close();
    }
  },
  realPath: (path) => realpath(path),
  list: (path) => readdir(path).catch(() => []),
};

/** Paths that lead nowhere are nothing; other errors are faults. */
function absent(error: NodeJS.ErrnoException): undefined {
  if (["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EINVAL"].includes(error.code ?? "")) return undefined;
  throw error;
}
