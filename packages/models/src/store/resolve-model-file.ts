import { stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { type Environment, TroupeError } from "@troupe/schema";
import { type CatalogueModel, findModel } from "./catalogue.ts";
import { checkModelFile, isGgufFile } from "./check-model-file.ts";
import { formatBytes } from "./format-bytes.ts";
import { findUserFile } from "./user-path.ts";

/** Where a model's file is looked for. */
export interface ResolveOptions {
  /** The model store: {@link modelDir}. */
  readonly dir: string;
  /** `TROUPE_MODEL_PATH` and `HOME` (for `~/`) are read. */
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** What relative paths are relative to, such as the folder of `troupe.yaml`; default: the working folder. */
  readonly base?: string;
  /** Whether the SHA-256 of a catalogue file is compared again (seconds); default: only its size, since a pull compared the sum. */
  readonly verify?: boolean;
  /** Default: the built-in catalogue. */
  readonly models?: readonly CatalogueModel[];
}

/**
 * The absolute path of a model's file on this disk; nothing is downloaded.
 *
 * @param nameOrPath a name of the catalogue, or a path to a GGUF file (anything with a slash, or that ends in `.gguf`).
 * @throws TroupeError `model_unknown` for a name that the catalogue doesn't have; `model_unavailable` when the file is not there or
 *   is not what it should be.
 */
export async function resolveModelFile(nameOrPath: string, options: ResolveOptions): Promise<string> {
  if (/[/\\]|\.gguf$/i.test(nameOrPath)) return resolvePath(nameOrPath, options);
  const model = findModel(nameOrPath, options.models);
  const check = { signal: options.signal, verify: options.verify ?? false };
  const own = await findUserFile(model, options.env, check);
  if ("path" in own) return own.path;
  const target = resolve(options.dir, model.fileName);
  const trouble = await checkModelFile(target, model, check);
  if (trouble === undefined) return target;
  const beside = options.env["TROUPE_MODEL_PATH"] ? ` TROUPE_MODEL_PATH does not help: ${own.trouble}.` : "";
  throw new TroupeError(
    "model_unavailable",
    `The model ${model.name} is not here: ${target} ${trouble}.${beside} Get it with \`troupe models pull ${model.name}\` (${formatBytes(model.bytes)}).`,
    { details: { model: model.name, path: target } },
  );
}

async function resolvePath(path: string, options: ResolveOptions): Promise<string> {
  const home = options.env["HOME"] ?? options.env["USERPROFILE"];
  const file = path.startsWith("~/") && home ? join(home, path.slice(2)) : resolve(options.base ?? ".", path);
  const stats = await stat(file).catch(() => undefined);
  const trouble = !stats ? "is not there" : !stats.isFile() ? "is not a file" : (await isGgufFile(file)) ? "" : "is not a GGUF file";
  if (!trouble) return file;
  const message = `The model ${file} ${trouble}. Name a GGUF file, or one of the models that \`troupe models list\` shows.`;
  throw new TroupeError("model_unavailable", message, { details: { path: file } });
}
