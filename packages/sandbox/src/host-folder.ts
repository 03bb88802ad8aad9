import { constants } from "node:fs";
import { chmod, lstat, mkdir, mkdtemp, open, readdir, realpath, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FileEntry } from "@troupe/schema";
import { contentOf, maxFiles, toFileEntry } from "./prepare-program.ts";
import { isKept } from "./tree-stream.ts";
import { sandboxFailed } from "./sandbox-failed.ts";

/** A workspace on the host's disk, for backends that can't do without one. */
export interface HostFolder {
  /** Its real path, without links. */
  readonly path: string;
  /** The tree as it is now: regular files only, nothing behind a link, at most `maxBytes` together. */
  readBack(maxBytes: number): Promise<FileEntry[]>;
  /** Takes it away with all that is in it; safe to call at any time. */
  remove(): Promise<void>;
}

/** Lays a tree out in a fresh folder that only we can enter. */
export async function layOutFolder(parent: string, files: readonly FileEntry[]): Promise<HostFolder> {
  const path = await realpath(await mkdtemp(join(parent, "troupe-"))).catch((error: unknown) => {
    throw sandboxFailed(`No folder can be made in ${parent} (${String(error)}).`, error);
  });
  const folder: HostFolder = {
    path,
    readBack: (maxBytes) => readFolder(path, maxBytes),
    remove: async () => {
      await makeRemovable(path);
      await rm(path, { recursive: true, force: true, maxRetries: 3 });
    },
  };
  try {
    for (const file of files) {
      const target = join(path, file.path);
      await mkdir(dirname(target), { recursive: true });
      await writeFile(target, contentOf(file));
    }
    return folder;
  } catch (error) {
    await folder.remove();
    throw sandboxFailed(`The files can't be laid out in ${parent} (${String(error)}).`, error);
  }
}

async function readFolder(root: string, maxBytes: number): Promise<FileEntry[]> {
  const files: FileEntry[] = [];
  let room = maxBytes;
  for (const path of await listTree(root)) {
    const bytes = files.length < maxFiles ? await readOwnFile(join(root, path), room) : undefined;
    room -= bytes?.length ?? 0;
    if (bytes !== undefined) files.push(toFileEntry(path, bytes));
  }
  return files;
}

async function listTree(root: string): Promise<string[]> {
  const found: string[] = [];
  const open = [""];
  for (let folder = open.pop(); folder !== undefined && found.length <= maxFiles; folder = open.pop()) {
    for (const name of await listFolder(join(root, folder))) {
      const path = folder === "" ? name : `${folder}/${name}`;
      const stat = await lstat(join(root, path)).catch(() => undefined);
      if (stat?.isDirectory()) open.push(path);
      else if (stat?.isFile() && isKept(path)) found.push(path);
    }
  }
  return found;
}

async function listFolder(path: string): Promise<string[]> {
  await chmod(path, 0o700).catch(() => undefined);
  return readdir(path).catch(() => []);
}

/** Reads a file that must be regular, also in the moment of opening it. */
async function readOwnFile(path: string, maxBytes: number): Promise<Buffer | undefined> {
  await chmod(path, 0o600).catch(() => undefined);
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const stat = await handle.stat();
    if (!stat.isFile() || stat.size > maxBytes) return undefined;
    return await handle.readFile();
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}

// A program may take away the right to list its folders.
async function makeRemovable(root: string): Promise<void> {
  const open = [root];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    await chmod(folder, 0o700).catch(() => undefined);
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    for (const entry of entries) if (entry.isDirectory()) open.push(join(folder, entry.name));
  }
}
