// Writes data/NAME.jsonl for every folder sets/NAME. Call after a build: npm run compile-sets -w packages/tasks
import { readdir, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { readTaskFolders } from "@troupe/tasks/task-folder";

const sets = new URL("../sets/", import.meta.url);
const { signal } = new AbortController();
for (const name of (await readdir(sets)).filter((entry) => !entry.startsWith("_"))) {
  const folders = await readTaskFolders(fileURLToPath(new URL(name, sets)), signal);
  const lines = folders.map(({ task }) => `${JSON.stringify(task)}\n`);
  await writeFile(new URL(`../data/${name}.jsonl`, import.meta.url), lines.join(""));
  process.stdout.write(`${name}: ${folders.length} tasks\n`);
}
