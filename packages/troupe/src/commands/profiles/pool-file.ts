import { readFile, rename, writeFile } from "node:fs/promises";
import { basename, dirname, extname } from "node:path";
import { readYaml } from "@troupe/runtime";
import { formatProblem, type Profile, type ProfilePool, profilePool, TroupeError } from "@troupe/schema";
import { makeFolder } from "@troupe/store";
import { quoted } from "../../quoted.ts";

/** A pool that profiles are added to. */
export interface PoolFile {
  readonly description: string | undefined;
  /** The profiles that were there when it was opened. */
  readonly profiles: readonly Profile[];
  /** Writes the file with further profiles at its end, in one step: it is whole at any time. */
  add(profiles: readonly Profile[]): Promise<void>;
}

/**
 * Reads a pool.
 *
 * @throws TroupeError `file_missing`, `file_unreadable`, and `file_invalid` with all its problems.
 */
export async function readPool(path: string, signal: AbortSignal): Promise<ProfilePool> {
  const text = await readIfThere(path, signal);
  if (text === undefined) throw new TroupeError("file_missing", `There is no file ${path}. Check the path.`);
  return parsePool(path, text);
}

/**
 * Opens a pool for further profiles, also one that is not there yet; nothing is written before the first is added.
 *
 * @param about what a new pool says of itself.
 * @throws TroupeError what {@link readPool} throws, and `file_invalid` when nothing can be added at the end of the file.
 */
export async function openPoolFile(path: string, about: string | undefined, signal: AbortSignal): Promise<PoolFile> {
  const before = await readIfThere(path, signal);
  let text = before ?? headOf(path, about);
  const pool = before === undefined ? undefined : parsePool(path, before);
  const profiles = [...(pool?.profiles ?? [])];
  // Found out now: once the model has answered it would be too late.
  append(path, text, { before: profiles, added: [{ name: "trial-of-the-file", text: "You try." }] });
  let written = before;
  return {
    description: pool?.description,
    profiles: [...profiles],
    add: async (added) => {
      if (added.length === 0) return;
      if ((await readIfThere(path, signal)) !== written)
        throw new TroupeError("file_invalid", `Somebody else has changed ${path} meanwhile. The same call goes on from what is there now.`);
      text = append(path, text, { before: profiles, added });
      makeFolder(dirname(path));
      await writeFile(`${path}.part`, text);
      await rename(`${path}.part`, path);
      profiles.push(...added);
      written = text;
    },
  };
}

/** The text of a pool with profiles added, in the indentation of its list. */
function append(path: string, text: string, { before, added }: Record<"before" | "added", readonly Profile[]>): string {
  const indent = [...text.matchAll(/^( *)- /gm)].at(-1)?.[1] ?? "  ";
  const items = added.map((one) => `${indent}- name: ${one.name}\n${indent}  text: ${JSON.stringify(one.text)}\n`).join("");
  const whole = `${text === "" || text.endsWith("\n") ? text : `${text}\n`}${items}`;
  const { value, problems } = readYaml(profilePool, { path, text: whole });
  if (JSON.stringify(value?.profiles) === JSON.stringify([...before, ...added])) return whole;
  const why = problems.map(formatProblem).join("\n");
  throw new TroupeError(
    "file_invalid",
    `Nothing can be added to ${path}: \`profiles\` must be the last part of the file, with a line that begins with - for each. Or name another file with --out.${why === "" ? "" : `\n${why}`}`,
    { problems },
  );
}

function headOf(path: string, about: string | undefined): string {
  const name = basename(path, extname(path))
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+/, "")
    .slice(0, 64);
  const description = about === undefined ? "" : `description: ${JSON.stringify(about)}\n`;
  return `pool: 1\nname: ${name.replace(/-+$/, "") || "profiles"}\n${description}profiles:\n`;
}

function parsePool(path: string, text: string): ProfilePool {
  const { value, problems } = readYaml(profilePool, { path, text });
  if (value !== undefined) return value;
  throw new TroupeError("file_invalid", problems.map(formatProblem).join("\n"), { problems });
}

async function readIfThere(path: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await readFile(path, { encoding: "utf8", signal });
  } catch (error) {
    signal.throwIfAborted();
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw new TroupeError("file_unreadable", `${quoted(path)} can't be read: ${(error as Error).message}.`, { cause: error });
  }
}
