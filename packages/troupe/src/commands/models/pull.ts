import { defaultModelName, defaultModels, findModel, formatProgress, modelDir, pullModel } from "@troupe/models";
import { readProject } from "@troupe/runtime";
import { isTroupeError } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";

interface PullFlags {
  readonly models?: string;
  readonly path?: string;
  readonly verify: boolean;
  readonly ifNeeded: boolean;
}

/** Gets a model's file, with a line of progress. */
export async function pull(this: TroupeContext, flags: PullFlags, given?: string): Promise<void> {
  const { stdout, stderr, env } = this.process;
  const name = flags.ifNeeded ? await neededModel(this, flags) : (given ?? defaultModelName);
  if (name === undefined) return;
  const live = stderr.isTTY === true;
  let last = "";
  const pulled = await pullModel(name, {
    dir: modelDir(env),
    signal: this.signal,
    env,
    verify: flags.verify,
    ...(flags.path === undefined ? {} : { path: flags.path }),
    onProgress: (progress) => {
      const line = formatProgress(progress, live ? (stderr.columns ?? 80) - 1 : 100);
      const step = `${progress.source} ${progress.phase} ${Math.floor((10 * progress.bytes) / Math.max(1, progress.total))}`;
      if (live) stderr.write(`\r\u001b[2K${line}`);
      else if (step !== last) stderr.write(`${line}\n`);
      last = step;
    },
  }).finally(() => {
    if (live && last !== "") stderr.write("\r\u001b[2K");
  });
  stdout.write(`${pulled.path}\n`);
}

/** The catalogue's name of the model that a run here would load; undefined when a server has it, or a file of the user's. */
async function neededModel(context: TroupeContext, flags: PullFlags): Promise<string | undefined> {
  const { env, stderr } = context.process;
  const project = await readProject(context.cwd, flags.models);
  const entries = await defaultModels(project.file.models, { env, signal: context.signal });
  const entry = entries["default"];
  if (entry === undefined || !("embedded" in entry)) {
    stderr.write(`The default model is ${entry?.model ?? "declared"}; nothing has to be fetched.\n`);
    return undefined;
  }
  try {
    return findModel(entry.embedded).name;
  } catch (error) {
    if (isTroupeError(error, "model_unknown")) return undefined;
    throw error;
  }
}
