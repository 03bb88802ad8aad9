import type { Artifact, Task } from "@troupe/schema";
import { productFiles } from "./write-product.ts";

/** Bytes of a product as it would be written down; files that were given with the task, and are as they were, don't count. */
export function productBytes(product: Artifact, { files }: Pick<Task, "files">): number {
  const given = new Map(files.map(({ path, content }) => [path, content]));
  return productFiles(product)
    .filter(({ path, content }) => given.get(path) !== content)
    .reduce((sum, { content, encoding }) => sum + Buffer.byteLength(content, encoding), 0);
}
