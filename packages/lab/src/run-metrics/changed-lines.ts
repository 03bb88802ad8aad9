import { productFiles } from "@troupe/runtime";
import type { Artifact } from "@troupe/schema";

/** The lines that only one of two artifacts has, counted: what a change took out and what it put in. */
export function changedLines(before: Artifact, after: Artifact): string[] {
  const count = new Map<string, number>();
  for (const line of linesOf(before)) count.set(line, (count.get(line) ?? 0) - 1);
  for (const line of linesOf(after)) count.set(line, (count.get(line) ?? 0) + 1);
  return [...count].filter(([, times]) => times !== 0).map(([line]) => line);
}

/** Bytes and lines of an artifact as it would be written down. */
export interface ArtifactSize {
  readonly bytes: number;
  readonly lines: number;
}

/**
 * Measures an artifact.
 *
 * @param isGiven tells files that were given with the task; they are not counted.
 */
export function sizeOf(artifact: Artifact, isGiven: (path: string, content: string) => boolean): ArtifactSize {
  const own = productFiles(artifact).filter(({ path, content }) => !isGiven(path, content));
  return {
    bytes: own.reduce((sum, { content, encoding }) => sum + Buffer.byteLength(content, encoding), 0),
    lines: own.reduce((sum, { content, encoding }) => sum + (encoding === "utf8" ? countLines(content) : 0), 0),
  };
}

function linesOf(artifact: Artifact): string[] {
  return productFiles(artifact).flatMap(({ content }) => content.split("\n"));
}

function countLines(text: string): number {
  return text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
}
