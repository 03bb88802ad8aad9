import { readFile, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { makeFolder } from "@troupe/store";
import type { TroupeContext } from "../../context.ts";
import { listFiles } from "../list-files.ts";

const templates = fileURLToPath(new URL("../../../templates/", import.meta.url));

/** Writes the files of a new project; what is there already stays. */
export async function init(this: TroupeContext, _flags: Record<string, never>, folder = "."): Promise<void> {
  const target = resolve(this.cwd, folder);
  for (const file of (await listFiles(templates)).sort()) {
    const written = await writeNew(join(target, file), await readFile(join(templates, file)));
    this.process.stdout.write(`${written ? "wrote  " : "kept   "} ${join(folder, file)}\n`);
  }
  this.process.stderr.write(
    `\nNext: ${folder === "." ? "" : `cd ${folder} && `}troupe doctor, then\n  troupe run topologies/pair.yaml --task "A command-line dice roller"\n`,
  );
}

async function writeNew(path: string, content: Uint8Array): Promise<boolean> {
  makeFolder(dirname(path));
  try {
    await writeFile(path, content, { flag: "wx" });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
}
