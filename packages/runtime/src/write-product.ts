import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type Artifact, type FileEntry, isWorkspacePath, TroupeError } from "@troupe/schema";
import { makeFolder } from "@troupe/store";

/** Lists what Troupe wrote into a folder, so that the next product can take its place and nothing else is touched. */
const manifestName = ".troupe-product.json";

/**
 * Refuses a folder that holds anything but an earlier product of Troupe, before anything is spent.
 *
 * @throws TroupeError `call_invalid`.
 */
export async function checkProductFolder(folder: string): Promise<void> {
  const entries = await readdir(folder).catch((error: NodeJS.ErrnoException): string[] => {
    if (error.code === "ENOENT") return [];
    throw new TroupeError("call_invalid", `${folder} can't be used for the product: ${error.message}. Name a folder with --out.`, {
      cause: error,
    });
  });
  if (entries.length > 0 && !entries.includes(manifestName)) {
    throw new TroupeError("call_invalid", `${folder} holds files that Troupe did not write. Name an empty or new folder with --out.`);
  }
}

/**
 * Writes a product into a folder, in place of an earlier product there.
 *
 * @returns the paths written, relative to the folder.
 * @throws TroupeError `disk_full`; `call_invalid` when the folder can't be written.
 */
export async function writeProduct(artifact: Artifact, folder: string): Promise<string[]> {
  await checkProductFolder(folder);
  try {
    return await writeFiles(artifact, folder);
  } catch (error) {
    throw unwritten(error as NodeJS.ErrnoException, folder);
  }
}

function unwritten(error: NodeJS.ErrnoException, folder: string): TroupeError {
  const code = error.code === "ENOSPC" || error.code === "EDQUOT" ? "disk_full" : "call_invalid";
  const message = `The product can't be written into ${folder}: ${error.message}. It is kept with its run: \`troupe show RUN --product FOLDER\` writes it.`;
  return new TroupeError(code, message, { cause: error });
}

async function writeFiles(artifact: Artifact, folder: string): Promise<string[]> {
  makeFolder(folder);
  for (const path of await readManifest(folder)) await rm(join(folder, path), { force: true });
  const files = writtenFiles(artifact);
  const paths = files.map((file) => file.path);
  await writeFile(join(folder, manifestName), `${JSON.stringify({ files: paths }, null, 2)}\n`);
  for (const file of files) {
    const path = join(folder, file.path);
    makeFolder(dirname(path));
    await writeFile(path, Buffer.from(file.content, file.encoding));
  }
  return paths;
}

/** A product as files: a tree as it is, anything else as one file. */
export function productFiles(artifact: Artifact): readonly FileEntry[] {
  switch (artifact.kind) {
    case "files":
      return artifact.files;
    case "text":
      return [{ path: "answer.md", encoding: "utf8", content: `${artifact.text}\n` }];
    case "choice":
      return [{ path: "answer.txt", encoding: "utf8", content: `${artifact.choice}\n` }];
    case "json":
      return [{ path: "answer.json", encoding: "utf8", content: `${JSON.stringify(artifact.value, null, 2)}\n` }];
  }
}

/** The files that {@link writeProduct} writes: those of the product, and beside a choice the reason for it, so that `answer.txt` holds the option alone. */
export function writtenFiles(artifact: Artifact): readonly FileEntry[] {
  if (artifact.kind !== "choice" || artifact.reason === undefined) return productFiles(artifact);
  return [...productFiles(artifact), { path: "reason.md", encoding: "utf8", content: `${artifact.reason.trimEnd()}\n` }];
}

async function readManifest(folder: string): Promise<string[]> {
  const text = await readFile(join(folder, manifestName), "utf8").catch(() => "{}");
  try {
    const { files } = JSON.parse(text) as { files?: unknown };
    return Array.isArray(files) ? files.filter((path): path is string => typeof path === "string" && isWorkspacePath(path)) : [];
  } catch {
    return [];
  }
}
