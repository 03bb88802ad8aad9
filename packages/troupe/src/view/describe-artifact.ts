import { type Artifact, type FileEntry, verdict } from "@troupe/schema";
import { oneLine } from "./terminal-text.ts";
import { plural } from "./words.ts";

/** Characters of a summary. */
const longest = 160;

/**
 * What an artifact is, on one line: a critic's verdict, the files and what changed in them, the beginning of a text.
 *
 * @param before the artifact it was made from, if any.
 */
export function describeArtifact(artifact: Artifact, before?: Artifact): string {
  switch (artifact.kind) {
    case "files":
      return before?.kind === "files" ? describeChange(before.files, artifact.files) : oneLine(listPaths(artifact.files));
    case "json": {
      const judged = verdict.safeParse(artifact.value);
      return clip(judged.success ? `${judged.data.verdict}: ${judged.data.critique}` : JSON.stringify(artifact.value));
    }
    case "choice":
      return clip(artifact.reason === undefined ? artifact.choice : `${artifact.choice}: ${artifact.reason}`);
    case "text":
      return clip(artifact.text);
  }
}

/** What changed between two trees, by path. */
function describeChange(before: readonly FileEntry[], after: readonly FileEntry[]): string {
  const old = new Map(before.map((file) => [file.path, file]));
  const paths = new Set(after.map((file) => file.path));
  const added = after.filter((file) => !old.has(file.path));
  const changed = after.filter((file) => old.has(file.path) && !sameContent(old.get(file.path), file));
  const removed = before.filter((file) => !paths.has(file.path));
  const parts = [part("changed", changed), part("added", added), part("removed", removed)].filter((text) => text !== "");
  return parts.length === 0 ? `unchanged: ${oneLine(listPaths(after))}` : oneLine(parts.join("; "));
}

function sameContent(a: FileEntry | undefined, b: FileEntry): boolean {
  return a?.content === b.content && a.encoding === b.encoding;
}

function part(verb: string, files: readonly FileEntry[]): string {
  return files.length === 0 ? "" : `${verb} ${listPaths(files)}`;
}

function listPaths(files: readonly FileEntry[]): string {
  if (files.length === 0) return "no files";
  const shown = files.slice(0, 4).map((file) => file.path);
  return files.length > shown.length ? `${shown.join(", ")} and ${plural(files.length - shown.length, "more file")}` : shown.join(", ");
}

function clip(text: string): string {
  const line = oneLine(text.slice(0, 4 * longest));
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
