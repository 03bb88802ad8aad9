import { createModelClient, defaultModels, startEmbedded } from "@troupe/models";
import { createSandbox } from "@troupe/sandbox";
import type { ModelClient, ProjectFile, RunStore, Sandbox } from "@troupe/schema";
import { defaultDatabasePath, openStore } from "@troupe/store";
import type { Project } from "./project.ts";

/** The world that runs live in: opened once, used by many runs, closed at the end. */
export interface Ports {
  readonly models: ModelClient;
  /** Names that agents may use as `model`; undefined: whatever the client knows. */
  readonly modelNames: readonly string[] | undefined;
  readonly sandbox: Sandbox;
  readonly store: RunStore;
  close(): Promise<void>;
}

export interface OpenPortsOptions {
  readonly project: Project;
  /** Path of the database; default: the project's, else the platform's data folder. */
  readonly db?: string;
  /** Default: the project's choice. `none` must be given here, a file can't ask for it. */
  readonly sandbox?: ProjectFile["sandbox"];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** Told what takes long, such as loading the embedded model. */
  readonly onProgress?: (message: string) => void;
}

/**
 * Opens the ports that a project asks for.
 *
 * @throws TroupeError `sandbox_unavailable`, `store_…`, `model_…`: each says what is missing and what to do.
 */
export async function openPorts(options: OpenPortsOptions): Promise<Ports> {
  const { project, env, signal } = options;
  const store = openStore(options.db ?? project.file.db ?? defaultDatabasePath(env));
  try {
    const sandbox = await createSandbox(sandboxChoice(options), { signal, env });
    const entries = await defaultModels(project.file.models, { env, signal });
    const models = createModelClient({ models: entries, env, startEmbedded: (entry, inner) => startEmbedded({ ...entry, env, ...inner }) });
    const close = async () => {
      await models.close();
      store.close();
    };
    return { models, modelNames: Object.keys(entries), sandbox, store, close };
  } catch (error) {
    store.close();
    throw error;
  }
}
