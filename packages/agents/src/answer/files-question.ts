import type { FileEntry, Language } from "@troupe/schema";

/** What the reader must know to understand an answer. */
export interface FilesQuestion {
  readonly language: Language;
  /** The file that an unnamed block of the language is meant for. */
  readonly entry: string;
  /** The tree that the answer changes; empty when there is none yet. */
  readonly known: readonly FileEntry[];
  /** Whether the answer was cut off at its length limit. */
  readonly cut: boolean;
}

/** The path of the tests of a program, by the custom of its language. */
export function testPathOf({ entry, language }: Pick<FilesQuestion, "entry" | "language">): string {
  const folder = entry.slice(0, entry.lastIndexOf("/") + 1);
  const name = stemOf(entry);
  if (language === "python") return `${folder}test_${name}.py`;
  return `${folder}${name}.test.${language === "javascript" ? "js" : "ts"}`;
}

/** Whether a path is a file of tests by its name. */
export function isTestPath(path: string): boolean {
  return /(^|\/)(test_[^/]*|[^/]*_test)\.py$|\.(test|spec)\.[cm]?[jt]s$/.test(path);
}

/** A path's file name without its extension. */
export function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]+$/, "");
}
