import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Environment } from "@troupe/schema";
import type { CatalogueModel } from "./catalogue.ts";
import { type CheckOptions, checkModelFile } from "./check-model-file.ts";

/** What the user's own path gave: the model's file, or one line that says why not. */
export type UserFile = { readonly path: string } | { readonly trouble: string };

/**
 * Looks for a model where `TROUPE_MODEL_PATH` says: a folder that holds the catalogue's file name, or the file itself.
 *
 * @param path an explicit path, which wins over the variable.
 */
export async function findUserFile(
  model: CatalogueModel,
  env: Environment,
  options: CheckOptions,
  path: string | undefined = undefined,
): Promise<UserFile> {
  const given = path ?? env["TROUPE_MODEL_PATH"];
  if (!given) return { trouble: "TROUPE_MODEL_PATH is not set" };
  const stats = await stat(given).catch(() => undefined);
  const file = resolve(stats?.isDirectory() ? join(given, model.fileName) : given);
  const trouble = await checkModelFile(file, model, options);
  return trouble === undefined ? { path: file } : { trouble: `${file} ${trouble}` };
}
