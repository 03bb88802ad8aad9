import { appendFile, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { TroupeError } from "@troupe/schema";
import { z } from "zod";
import { type TaskRow, taskRow } from "./task-row.ts";

/** A file that keeps the rows of a set, one line of JSON each. */
export interface ResultsFile {
  /** The rows that were there. */
  readonly rows: readonly TaskRow[];
  /** Adds a row at the end. */
  keep(row: TaskRow): Promise<void>;
}

/**
 * Opens a results file, also one that is not there yet. A last line that was cut by a crash is taken out of the file first, so that the
 * next row does not go on where it ends.
 *
 * @throws TroupeError `file_unreadable`, and `file_invalid` with the line that is no row.
 */
export async function openResults(path: string): Promise<ResultsFile> {
  const text = await readText(path);
  const lines = text.split("\n");
  const rest = lines.pop() ?? "";
  const rows = lines.flatMap((line, index) => (line.trim() === "" ? [] : [parseRow(path, line, index)]));
  const last = parseCut(rest);
  if (last !== undefined) rows.push(last);
  if (rest !== "") await rewrite(path, rows);
  return {
    rows,
    keep: async (row) => {
      await mkdir(dirname(path), { recursive: true });
      await appendFile(path, toLine(row));
    },
  };
}

const toLine = (row: TaskRow): string => `${JSON.stringify(row)}\n`;

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw new TroupeError("file_unreadable", `${path} can't be read: ${(error as Error).message}.`, { cause: error });
  }
}

/** A crash never leaves half a file. */
async function rewrite(path: string, rows: readonly TaskRow[]): Promise<void> {
  await writeFile(`${path}.new`, rows.map(toLine).join(""));
  await rename(`${path}.new`, path);
}

function parseRow(path: string, line: string, index: number): TaskRow {
  const { data, error } = taskRow.safeParse(toJson(line));
  if (data !== undefined) return data;
  throw new TroupeError("file_invalid", `${path}:${index + 1} is no line of results. Mend or remove it.\n${z.prettifyError(error)}`);
}

/** The last line without a line feed: a whole row, or what a crash left of one. */
function parseCut(line: string): TaskRow | undefined {
  return taskRow.safeParse(toJson(line)).data;
}

function toJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
