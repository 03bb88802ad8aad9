import { homedir } from "node:os";
import { resolve } from "node:path";
import { createEmbeddedStarter, createModelClient, defaultModels, modelDir, resolveModelFile } from "@troupe/models";
import { createSandbox, currentHost } from "@troupe/sandbox";
import {
  type Damaged,
  dataDir,
  type Environment,
  type ModelClient,
  type ProjectFile,
  type RunStore,
  type Sandbox,
  TroupeError,
} from "@troupe/schema";
import { defaultDatabasePath, openStore } from "@troupe/store";
import { modelNames, type Project, readProject } from "./project.ts";

/** The world that runs live in: opened once, used by many runs, closed at the end. */
export interface Ports {
  readonly project: Project;
  readonly models: ModelClient;
  /** Names that agents may use as `model`; undefined: whatever the client knows. */
  readonly modelNames: readonly string[] | undefined;
  readonly sandbox: Sandbox;
  readonly store: RunStore;
  close(): Promise<void>;
}

/** Where runs live, when the defaults don't fit. */
export interface WorldOptions {
  /** Folder that paths start from; default: the working folder. */
  readonly cwd?: string | undefined;
  /** Path of a `troupe.yaml`; default: the nearest one upwards from `cwd`. */
  readonly project?: string | undefined;
  /** Path of the database; default: the project's, else `runs.db` in the platform's data folder. */
  readonly db?: string | undefined;
  /** Where model-written code runs; default: the project's choice. `none` must be given here, a file alone can't ask for it. */
  readonly sandbox?: ProjectFile["sandbox"] | undefined;
  /** Default: the process's environment. */
  readonly env?: Environment | undefined;
  /** Told what takes long, such as loading the embedded model. */
  readonly onProgress?: ((message: string) => void) | undefined;
}

/**
 * Reads the project and opens the ports that it asks for.
 *
 * @throws TroupeError `file_…`, `sandbox_unavailable`, `store_…`, `model_…`: each says what is missing and what to do.
 */
export async function openPorts(options: WorldOptions, signal: AbortSignal): Promise<Ports> {
  const { cwd = process.cwd(), env = process.env } = options;
  const project = await readProject(cwd, options.project);
  const choice = sandboxChoice(options, project);
  const store = openStore(databasePath(options, project));
  try {
    const sandbox = await createSandbox(choice, { signal, host: currentHost(env) });
    const models = await openDeclared(options, project, signal);
    const close = async () => {
      await models.close();
      store.close();
    };
    return { project, models, modelNames: modelNames(project.file), sandbox, store, close };
  } catch (error) {
    store.close();
    throw error;
  }
}

/**
 * Opens only the models of a project, for trying them.
 *
 * @throws TroupeError `file_…`.
 */
export async function openModels(options: WorldOptions, signal: AbortSignal): Promise<ModelClient> {
  const project = await readProject(options.cwd ?? process.cwd(), options.project);
  return openDeclared(options, project, signal);
}

async function openDeclared({ env = process.env, onProgress }: WorldOptions, project: Project, signal: AbortSignal) {
  const models = await defaultModels(project.file.models, { env, signal });
  return createModelClient({ models, env, startEmbedded: embeddedStarter(project, env, onProgress) });
}

/**
 * Opens only the runs of a project, for looking at them.
 *
 * @param damaged told of a damaged database in place of an error, where what is left of it can be read.
 * @throws TroupeError `file_…` and `store_…`.
 */
export async function openRuns(options: WorldOptions, damaged?: Damaged): Promise<RunStore> {
  const project = await readProject(options.cwd ?? process.cwd(), options.project);
  return openStore(databasePath(options, project), damaged && { damaged });
}

function databasePath({ cwd = process.cwd(), env = process.env, db }: WorldOptions, project: Project): string {
  if (db !== undefined) return resolve(cwd, db);
  return project.file.db === undefined ? defaultDatabasePath(env, process.platform, homedir()) : resolve(project.root, project.file.db);
}

function embeddedStarter(project: Project, env: Environment, onProgress: WorldOptions["onProgress"]) {
  const home = homedir();
  const { platform } = process;
  return createEmbeddedStarter({
    dataDir: dataDir(env, platform, home),
    env,
    onProgress,
    resolveFile: (nameOrPath, signal) =>
      resolveModelFile(nameOrPath, { dir: modelDir(env, platform, home), env, signal, base: project.root }),
  });
}

function sandboxChoice({ sandbox }: WorldOptions, project: Project): ProjectFile["sandbox"] {
  if (sandbox !== undefined) return sandbox;
  if (project.file.sandbox !== "none") return project.file.sandbox;
  const where = project.path ?? "troupe.yaml";
  throw new TroupeError(
    "call_invalid",
    `${where} says \`sandbox: none\`: model-written code would run unprotected. Say so on the command line as well: --sandbox none.`,
  );
}
