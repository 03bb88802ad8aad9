import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";

/** The repository's root folder. */
export const root = resolve(dirname(fileURLToPath(import.meta.url)), "../..");

/** A TypeScript file of a package with what it imports. */
export interface SourceFile {
  /** Path from the root, with forward slashes. */
  readonly path: string;
  readonly isTest: boolean;
  /** Specifiers of all its imports and re-exports, in order. */
  readonly imports: readonly string[];
}

/** The folder names under `packages/`. */
export function packageNames(): string[] {
  return readdirSync(join(root, "packages")).filter((name) => existsSync(join(root, "packages", name, "package.json")));
}

/** The TypeScript files of a package's `src`. */
export function sourceFiles(name: string): SourceFile[] {
  const folder = join(root, "packages", name, "src");
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".ts"));
  return files.sort().map((file) => {
    const { importedFiles } = ts.preProcessFile(readFileSync(join(folder, file), "utf8"), true, true);
    const path = `packages/${name}/src/${file.replaceAll("\\", "/")}`;
    return { path, isTest: file.endsWith(".test.ts"), imports: importedFiles.map(({ fileName }) => fileName) };
  });
}

/** A JSON file of the repository, which is trusted to have the form that the caller names. */
export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(join(root, path), "utf8")) as T;
}

/** The folder name of the workspace package that a specifier names, if it names one. */
export function packageOf(specifier: string): string | undefined {
  if (specifier === "troupe" || specifier.startsWith("troupe/")) return "troupe";
  return /^@troupe\/([^/]+)/.exec(specifier)?.[1];
}
