import { json } from "./options.mjs";
import { barTable, table } from "./table.mjs";

/**
 * Collects what a benchmark has to say and says it: a table for people, or with --json one document for a program, with the notes
 * on standard error meanwhile. A bar that is missed makes the exit status 1.
 */
export function createReport(name) {
  const rows = [];
  const sections = [];
  const say = (text) => (json ? process.stderr : process.stdout).write(`${text}\n`);
  return {
    /** Something to watch while it goes on. */
    note: say,
    /** A figure: `{ what, figure, bar, met }`, the last two absent where nothing is promised. */
    row: (row) => void rows.push(row),
    /** A table of its own, for the page of results: `{ title, about, head, rows }`. */
    section: (section) => void sections.push(section),
    end: () => {
      if (json) process.stdout.write(`${JSON.stringify({ name, rows, sections })}\n`);
      else {
        for (const { title, about, head, rows: lines } of sections) say(`\n${title}: ${about}\n${table(head, lines)}`);
        say(`\n${barTable(rows)}`);
      }
      if (rows.some(({ met }) => met === false)) process.exitCode = 1;
    },
  };
}
