import { isKnownCsv, readCsvLines } from "./read-csv-lines.ts";
import { readJsonLines } from "./read-json-lines.ts";
import { problemAt, type SetLines } from "./set-lines.ts";

/**
 * Reads the lines of a task set: CSV where the file ends in `.csv` or begins with a header that is known, else JSON Lines.
 *
 * @param file the name that problems carry.
 */
export function readLines(bytes: Uint8Array, file: string): SetLines {
  const text = decode(bytes);
  if (text === undefined) return { lines: [], problems: [problemAt(file, 1, "The file is binary, not UTF-8 text.")] };
  const read = /\.csv$/i.test(file) || isKnownCsv(text) ? readCsvLines(text, file) : readJsonLines(text, file);
  if (read.lines.length === 0 && read.problems.length === 0) read.problems.push(problemAt(file, 1, "The file is empty."));
  return read;
}

/** The text without its byte order mark; undefined when it is none. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
