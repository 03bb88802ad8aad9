import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { formatProblem, type ProjectFile, projectFile, TroupeError } from "@troupe/schema";
import { readYaml } from "@troupe/topology";

/** A project: its folder, and what its `troupe.yaml` says. */
export interface Project {
  /** The folder of `troupe.yaml`, or the working folder when there is none. */
  readonly root: string;
  /** The file that was read; undefined: all defaults. */
  readonly path: string | undefined;
  readonly file: ProjectFile;
}

/**
 * Reads `troupe.yaml`: the given one, else the nearest one upwards from a folder, else nothing but defaults.
 *
 * @throws TroupeError `file_missing` for a given file that is not there, `file_invalid` with all its problems.
 */
export async function readProject(folder: string, given?: string): Promise<Project> {
  if (given !== undefined) {
    const path = resolve(folder, given);
    const text = await readIfThere(path);
    if (text === undefined)
      throw new TroupeError("file_missing", `${given}: no such file. Name a troupe.yaml, or write one with \`troupe init\`.`);
    return { root: dirname(path), path, file: parseProject(given, text) };
  }
  for (let at = resolve(folder); ; at = dirname(at)) {
    const path = join(at, "troupe.yaml");
    const text = await readIfThere(path);
    if (text !== undefined) return { root: at, path, file: parseProject(path, text) };
    if (at === dirname(at)) return { root: resolve(folder), path: undefined, file: projectFile.parse({}) };
  }
}

/** Names that agents may use as `model`: those of `troupe.yaml`, and `default`, which there always is. */
export function modelNames({ models }: Pick<ProjectFile, "models">): string[] {
  return [...new Set([...Object.keys(models), "default"])];
}

function parseProject(path: string, text: string): ProjectFile {
  if (isAllComments(text)) return projectFile.parse({});
  const { value, problems } = readYaml(projectFile, { path, text });
  if (value === undefined) throw new TroupeError("file_invalid", problems.map(formatProblem).join("\n"), { problems });
  return value;
}

/** Everything in it is optional, so a file in which all is commented out, as `troupe init` suggests, means the defaults. */
function isAllComments(text: string): boolean {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  return lines.length > 0 && lines.every((line) => line.trimStart().startsWith("#"));
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT" || (error as NodeJS.ErrnoException).code === "ENOTDIR") return undefined;
    throw new TroupeError("file_unreadable", `${path} can't be read: ${(error as Error).message}. Check its permissions.`, {
      cause: error,
    });
  }
}
