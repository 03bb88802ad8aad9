import { appendFile, mkdir, readFile, truncate } from "node:fs/promises";
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
 * Opens a results file, also one that is not there yet. Opening changes nothing, so a file that another process writes into can be read.
 * A last line that was cut by a crash is taken out of the file before the first row is added, so that the row does not go on where it ends.
 *
 * @throws TroupeError `file_unreadable`, and `file_invalid` with the line that is no row.
 */
export async function openResults(path: string): Promise<ResultsFile> {
  const bytes = await readBytes(path);
  const whole = bytes.lastIndexOf(lineFeed) + 1;
  const lines = bytes.subarray(0, whole).toString().split("\n");
  const rows = lines.flatMap((line, index) => (line.trim() === "" ? [] : [parseRow(path, line, index)]));
  const last = parseCut(bytes.subarray(whole).toString());
  let mended = whole === bytes.length;
  return {
    rows: last === undefined ? rows : [...rows, last],
    keep: async (row) => {
      await mkdir(dirname(path), { recursive: true });
      if (!mended) await (last === undefined ? truncate(path, whole) : appendFile(path, "\n"));
      mended = true;
      await appendFile(path, toLine(row));
    },
  };
}

const lineFeed = 10;

const toLine = (row: TaskRow): string => `${JSON.stringify(row)}\n`;

async function readBytes(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return Buffer.alloc(0);
    throw new TroupeError("file_unreadable", `${path} can't be read: ${(error as Error).message}.`, { cause: error });
  }
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
