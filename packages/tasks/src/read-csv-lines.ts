import { type CsvError, parse } from "csv-parse/sync";
import { maxLineBytes, problemAt, type SetLines } from "./set-lines.ts";
import { srddColumns } from "./srdd.ts";

/** Whether a text begins with the header of a set that is published as CSV. */
export function isKnownCsv(text: string): boolean {
  const [header = ""] = text.split("\n", 1);
  const names = header.split(",").map((name) => name.trim().replace(/^"(.*)"$/, "$1"));
  return srddColumns.every((column) => names.includes(column));
}

/** A record and the line that it ends in. */
interface CsvRecord {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Reads CSV (RFC 4180) with a header. What follows a mistake in quotation marks can't be told apart any more, so reading ends there. */
export function readCsvLines(text: string, file: string): SetLines {
  const { records, broken } = readRecords(text);
  const [header, ...rows] = records;
  const read: SetLines = { lines: [], problems: [] };
  for (const row of rows) {
    const line = firstLineOf(row);
    const { record } = row;
    const columns = header?.record ?? [];
    if (record.length === columns.length)
      read.lines.push({ line, value: Object.fromEntries(columns.map((name, index) => [name.trim(), record[index]])) });
    else {
      const message = `The line has ${record.length} fields, but the header has ${columns.length}.`;
      read.problems.push({ ...problemAt(file, line, message), expected: quoting });
    }
  }
  if (broken !== undefined) read.problems.push({ ...problemAt(file, ...whatBroke(broken, records.at(-1))), expected: quoting });
  else if (rows.length === 0 && header !== undefined)
    read.problems.push(problemAt(file, 1, "The file has a header, but no line below it."));
  return read;
}

const quoting = 'fields with a comma, a line end or a " in quotation marks, and "" for a " in them';

function readRecords(text: string): { records: CsvRecord[]; broken: CsvError | undefined } {
  let broken: CsvError | undefined;
  const records: unknown = parse(text, {
    info: true,
    skip_empty_lines: true,
    relax_column_count: true,
    max_record_size: maxLineBytes,
    skip_records_with_error: true,
    on_skip: (error) => {
      broken ??= error;
      return undefined;
    },
  });
  const all = records as CsvRecord[];
  return { records: broken === undefined ? all : all.filter(({ info }) => info.lines < Number(broken?.["lines"])), broken };
}

function firstLineOf({ record, info }: CsvRecord): number {
  return info.lines - record.reduce((sum, field) => sum + field.split("\n").length - 1, 0);
}

function whatBroke({ code, ...context }: CsvError, last: CsvRecord | undefined): [line: number, message: string] {
  const line = Number(context["lines"]);
  const rest = "Nothing from here on was read.";
  switch (code) {
    case "CSV_QUOTE_NOT_CLOSED":
      return [(last?.info.lines ?? 0) + 1, `A quotation mark is opened and never closed. ${rest}`];
    case "CSV_INVALID_CLOSING_QUOTE":
      return [line, `After a closing quotation mark stands something else than a comma or the end of the line. ${rest}`];
    case "INVALID_OPENING_QUOTE":
      return [line, `A quotation mark stands inside a field that does not begin with one. ${rest}`];
    case "CSV_MAX_RECORD_SIZE":
      return [(last?.info.lines ?? 0) + 1, `What begins here is longer than ${maxLineBytes / 1024 / 1024} MiB. ${rest}`];
    default:
      return [line, `The line can't be read as CSV. ${rest}`];
  }
}
