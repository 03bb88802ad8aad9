import { type Artifact, entryOf, type FileEntry, type PublicTask } from "@troupe/schema";

const block = /^```[^\n`]*\n([\s\S]*?)^```\s*$/gm;

/**
 * The files of a product: a tree as it is; a text with exactly one fenced block as the task's entry file.
 *
 * @returns undefined when the artifact is no program.
 */
export function asFiles(artifact: Artifact, task: Pick<PublicTask, "entry" | "language">): readonly FileEntry[] | undefined {
  if (artifact.kind === "files") return artifact.files;
  if (artifact.kind !== "text") return undefined;
  const blocks = [...artifact.text.matchAll(block)];
  const content = blocks.length === 1 ? blocks[0]?.[1] : undefined;
  return content === undefined ? undefined : [{ path: entryOf(task), encoding: "utf8", content }];
}
