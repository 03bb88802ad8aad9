import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { option } from "./options.mjs";

/** The packages folder that is measured: this repository's, or another build's by --packages FOLDER. */
export const packagesFolder = resolve(option("packages") ?? join(import.meta.dirname, "../../../packages"));

/** Loads the built package of that name, such as `engine`. */
export function loadPackage(name) {
  return import(pathToFileURL(join(packagesFolder, name, "dist/index.js")).href);
}

/** The same copy of SQLite that the store uses. */
export function loadSqlite() {
  return createRequire(join(packagesFolder, "store/package.json"))("better-sqlite3");
}
