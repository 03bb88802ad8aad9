import { type ChatAnswer, entryOf, type FileEntry } from "@troupe/schema";
import { readFiles } from "./answer/read-files.ts";
import { report } from "./toolbox.ts";
import type { Work } from "./work.ts";
import type { Workspace } from "./workspace.ts";

/** What an answer put into the workspace. */
export interface TakenFiles {
  /** Whether it held any whole file, changed or not. */
  readonly hasFiles: boolean;
  /** Files that are cut off or leave code out; not written. */
  readonly partial: readonly FileEntry[];
  /** What was not usable and why. */
  readonly notes: readonly string[];
}

/** Writes the files of an answer into the workspace and logs what was refused. */
export function takeFiles(work: Work, workspace: Workspace, answer: ChatAnswer): TakenFiles {
  const { task } = work.context;
  const question = { language: task.language, entry: entryOf(task), known: workspace.tree(), cut: answer.finish === "length" };
  const { files, partial, notes } = readFiles(answer.text, question);
  const refused = files.flatMap((file) => workspace.write(file.path, file.content) ?? []);
  const all = [...notes, ...refused];
  for (const note of all) report(work, { tool: "write_file", input: "a file of the answer", output: note, ok: false });
  return { hasFiles: files.length > 0, partial, notes: all };
}
