import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/workspace.ts";

const folder = join(root, "test", "complaints");
const [own = "", others = ""] = readFileSync(join(folder, "README.md"), "utf8").split("## Tests of these rows in other places");

/** The rows of a table, cell by cell, without its head. */
const rowsOf = (text: string): string[][] =>
  text
    .split("\n")
    .filter((line) => /^\| \d/.test(line))
    .map((line) =>
      line.split(" | ").map((cell) =>
        cell
          .replace(/^\| | \|$/g, "")
          .replaceAll("`", "")
          .trim(),
      ),
    );

/** Titles of tests as they stand in a file: the words behind `it(` or `test(`, and the last word of tables of cases. */
const titlesIn = (path: string): string[] =>
  [...readFileSync(join(root, path), "utf8").matchAll(/\(\s*(["'`])((?:(?!\1).)+)\1,\s*(?:async )?\(/g)].map(([, , title]) => title ?? "");

it.each(rowsOf(own).map(([row, report, file]) => [row, file, report] as const))("row %s has a test of its name in %s", (row, file) => {
  const text = readFileSync(join(folder, file ?? ""), "utf8");
  expect(text).toMatch(new RegExp(`["'\`]row ${row}: `));
});

it("every file of this folder is in the table, and no row is twice", () => {
  const rows = rowsOf(own);
  const files = readdirSync(folder).filter((name) => name.endsWith(".test.ts") && name !== "table.test.ts");
  expect([...new Set(rows.map(([, , file]) => file))].sort()).toEqual(files.sort());
  expect(new Set(rows.map(([row]) => row)).size).toBe(rows.length);
});

it.each(rowsOf(others).map(([row, file, title]) => [row, file, title] as const))("row %s is also tested in %s: %s", (_row, file, title) => {
  expect(titlesIn(file ?? "")).toContain(title);
});
