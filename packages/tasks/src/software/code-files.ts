import type { FileEntry, PublicTask } from "@troupe/schema";

/** The files of a product that hold code, without those that were given with the task and are as they were. */
export function codeFiles(files: readonly FileEntry[], task: Pick<PublicTask, "files">): FileEntry[] {
  const given = new Map(task.files.map((file) => [file.path, file]));
  return files.filter(({ path, encoding, content }) => {
    const before = given.get(path);
    const isGiven = before?.content === content && before.encoding === encoding;
    return encoding === "utf8" && !isGiven && /\.(py|[cm]?[jt]s)$/.test(path);
  });
}
