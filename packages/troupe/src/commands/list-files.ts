import { readdir } from "node:fs/promises";
import { join, posix } from "node:path";

/** The paths of the regular files in a folder and below, with `/` in them; links and hidden files and folders are left out. */
export async function listFiles(folder: string, within = ""): Promise<string[]> {
  const entries = await readdir(join(folder, within), { withFileTypes: true });
  const visible = entries.filter((entry) => !entry.name.startsWith("."));
  const paths = visible.map(async (entry): Promise<string[]> => {
    const path = posix.join(within, entry.name);
    if (entry.isDirectory()) return listFiles(folder, path);
    return entry.isFile() ? [path] : [];
  });
  return (await Promise.all(paths)).flat();
}
