import { basename, dirname, extname, isAbsolute, join, relative, sep, win32 } from "node:path";
import { maxFileBytes } from "../yaml/decode-text.ts";
import { nearest } from "../yaml/did-you-mean.ts";
import type { ProblemText } from "../yaml/place.ts";
import { quote } from "../yaml/quote.ts";
import type { FileAccess } from "./file-access.ts";

/** Where cards may lie. */
export interface CardPlaces {
  /** Folders that paths are tried in, nearest first. */
  readonly folders: readonly string[];
  /** The folder that no path may leave, links followed. */
  readonly root: string;
}

/** What messages call the files that are looked for. */
export interface CardWords {
  /** Such as `a role card`. */
  readonly noun: string;
  /** Path of a usual one, from the project folder. */
  readonly example: string;
}

/** A card's file, as found and with links followed, and what it holds; or what is wrong with its path. */
export type FoundCard = { readonly file: string; readonly realFile: string; readonly text: Uint8Array } | { readonly fault: ProblemText };

/** Finds and reads the file of a card, or of something else that a topology names, in the project. */
export async function findCard(
  path: string,
  { places: { folders, root }, words }: { places: CardPlaces; words: CardWords },
  files: FileAccess,
): Promise<FoundCard> {
  const realRoot = await files.realPath(root);
  const expected = `a path from the project folder, such as ${words.example}`;
  const escapes = { code: "path_escapes", expected } as const;
  const places = { folders, root: realRoot, usual: dirname(words.example) };
  if (isOutside(path)) {
    const inside = path.replaceAll("\\", "/").replace(/^(\.\.?\/+)+/, "");
    const near = isOutside(inside) ? {} : await hintAt(inside, places, files);
    return { fault: { ...escapes, message: `the path ${quote(path)} leaves the project`, ...near } };
  }
  for (const folder of folders) {
    const file = join(folder, path);
    const kind = await files.kindOf(file);
    if (kind === undefined) continue;
    const realFile = await files.realPath(file);
    if (!isWithin(realRoot, realFile))
      return { fault: { ...escapes, message: `the path ${quote(path)} leads out of the project by a link` } };
    const text = kind === "file" ? await files.read(realFile, maxFileBytes + 1).catch(() => undefined) : undefined;
    if (text !== undefined) return { file, realFile, text };
    const message = kind === "file" ? `${quote(path)} may not be read` : `${quote(path)} is not a file`;
    return { fault: { message, expected: `the path of ${words.noun}`, code: "file_unreadable" } };
  }
  const near = await hintAt(path, places, files);
  return { fault: { message: `there is no file ${quote(path)}`, expected, code: "file_missing", ...near } };
}

/** Where a file that was not found may be meant: besides its own folder, where such files usually lie. */
interface HintPlaces extends CardPlaces {
  readonly usual: string;
}

/** Absolute paths, in the way of any system, and paths that climb out of the folder they start in. */
function isOutside(path: string): boolean {
  const plain = path.replaceAll("\\", "/");
  return path.includes("\0") || win32.isAbsolute(plain) || /^[A-Za-z]:/.test(plain) || join(plain).split(sep)[0] === "..";
}

function isWithin(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way.split(sep)[0] !== ".." && !isAbsolute(way);
}

async function hintAt(path: string, places: HintPlaces, files: FileAccess): Promise<{ hint?: string }> {
  const near = await findNeighbour(path, places, files);
  return near === undefined ? {} : { hint: `did you mean ${quote(near)}?` };
}

/** A file with nearly the same name in the folder that was meant, or in the usual one, as it is to be written. */
async function findNeighbour(path: string, { folders, root, usual }: HintPlaces, files: FileAccess): Promise<string | undefined> {
  for (const folder of folders) {
    for (const place of new Set([dirname(path), usual])) {
      const names = await listWithin(root, join(folder, place), files);
      const stems = new Map(names.filter((name) => /\.ya?ml$/i.test(name)).map((name) => [stemOf(name), name]));
      const name = stems.get(nearest(stemOf(path), stems.keys()) ?? "");
      if (name !== undefined) return join(place, name).replaceAll(sep, "/");
    }
  }
  return undefined;
}

async function listWithin(root: string, folder: string, files: FileAccess): Promise<string[]> {
  if ((await files.kindOf(folder)) !== "folder" || !isWithin(root, await files.realPath(folder))) return [];
  return files.list(folder);
}

function stemOf(path: string): string {
  return basename(path, extname(path));
}
