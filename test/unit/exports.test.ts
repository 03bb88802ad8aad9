import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { packageNames, root } from "../support/workspace.ts";

/** The names that an index re-exports, types marked. */
function exportedNames(index: string): string[] {
  const file = ts.createSourceFile(index, readFileSync(index, "utf8"), ts.ScriptTarget.Latest);
  const names = file.statements.flatMap((statement) => {
    const clause = ts.isExportDeclaration(statement) ? statement.exportClause : undefined;
    if (clause === undefined || !ts.isNamedExports(clause)) throw new Error(`${index} may hold explicit re-exports only`);
    const isType = ts.isExportDeclaration(statement) && statement.isTypeOnly;
    return clause.elements.map((element) => `${isType || element.isTypeOnly ? "type " : ""}${element.name.text}`);
  });
  return names.sort();
}

// A changed surface shows in the diff; `npx vitest run --project unit test/unit/exports.test.ts -u` accepts it.
it.each(packageNames().filter((name) => existsSync(join(root, "packages", name, "src", "index.ts"))))(
  "exports of %s are the ones that were agreed on",
  async (name) => {
    const names = exportedNames(join(root, "packages", name, "src", "index.ts"));
    expect(new Set(names).size).toBe(names.length);
    await expect(`${names.join("\n")}\n`).toMatchFileSnapshot(`exports/${name}.txt`);
  },
);
