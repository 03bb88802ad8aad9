import type { Readable } from "node:stream";
import { finished } from "node:stream/promises";
import { type FileEntry, isWorkspacePath } from "@troupe/schema";
import { extract, type Headers, pack } from "tar-stream";
import { contentOf, maxFiles, toFileEntry } from "./prepare-program.ts";

/** A tree of files as a tar stream. */
export function packTree(files: readonly FileEntry[]): Readable {
  const stream = pack();
  for (const file of files) stream.entry({ name: file.path, mode: 0o644 }, contentOf(file));
  stream.finalize();
  return stream;
}

/**
 * Reads a tar stream that nobody vouches for into a tree: regular files only, paths checked, at most `maxBytes` together.
 *
 * Reading stops at the first file that is too much; what is there by then is the tree. A stream that is not tar is no tree.
 */
export async function unpackTree(source: Readable, maxBytes: number): Promise<FileEntry[]> {
  const reader = new TreeReader(maxBytes);
  const unpacker = extract();
  unpacker.on("entry", (header, stream, next) => {
    const path = header.name.replace(/^\.\//, "");
    if (header.type === "link") reader.link(path, header.linkname ?? "");
    if (header.type !== "file" || !isKept(path)) return void stream.on("end", next).resume();
    if (!reader.hasRoomFor(header)) return void unpacker.destroy();
    const chunks: Buffer[] = [];
    stream.on("data", (chunk: Buffer) => chunks.push(chunk));
    stream.on("end", () => {
      reader.add(path, Buffer.concat(chunks));
      next();
    });
  });
  source.pipe(unpacker);
  await finished(unpacker).catch(() => undefined);
  source.unpipe(unpacker).resume();
  return reader.files;
}

/** Whether a path of a tree afterwards is worth keeping: inside the workspace, and no interpreter's cache. */
export function isKept(path: string): boolean {
  return isWorkspacePath(path) && path.length <= 512 && !/(^|\/)(__pycache__|\.pytest_cache)\//.test(path) && !path.includes("\uFFFD");
}

class TreeReader {
  readonly #files = new Map<string, FileEntry>();
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get files(): FileEntry[] {
    return [...this.#files.values()];
  }

  hasRoomFor(header: Headers): boolean {
    this.#bytes += header.size ?? 0;
    return this.#bytes <= this.#maxBytes && this.#files.size < maxFiles;
  }

  add(path: string, bytes: Buffer): void {
    this.#files.set(path, toFileEntry(path, bytes));
  }

  // Tar writes the second name of a file as a link to the first.
  link(path: string, target: string): void {
    const first = this.#files.get(target.replace(/^\.\//, ""));
    if (first !== undefined && isKept(path) && this.hasRoomFor({ name: path, size: contentOf(first).length })) {
      this.#files.set(path, { ...first, path });
    }
  }
}
