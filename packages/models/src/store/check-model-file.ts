import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, stat } from "node:fs/promises";
import type { CatalogueModel } from "./catalogue.ts";
import { formatBytes } from "./format-bytes.ts";

/** How a file is compared with its catalogue entry. */
export interface CheckOptions {
  readonly signal: AbortSignal;
  /** Whether the whole file is read and its SHA-256 compared; else only its size is. */
  readonly verify: boolean;
  /** Told how many bytes were read. */
  readonly onRead?: (bytes: number) => void;
}

/**
 * Why a file is not the catalogue's, or nothing when it is.
 *
 * @returns a clause such as `has 12 MB, not 98 MB`.
 */
export async function checkModelFile(path: string, model: CatalogueModel, options: CheckOptions): Promise<string | undefined> {
  const stats = await stat(path).catch(() => undefined);
  if (!stats?.isFile()) return "is not there";
  if (stats.size !== model.bytes) {
    return `has ${stats.size} bytes (${formatBytes(stats.size)}), not ${model.bytes} (${formatBytes(model.bytes)})`;
  }
  if (!options.verify) return undefined;
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of readChunks(path, options.signal)) {
    hash.update(chunk);
    bytes += chunk.length;
    options.onRead?.(bytes);
  }
  const sum = hash.digest("hex");
  return sum === model.sha256 ? undefined : `has the SHA-256 ${sum}, not ${model.sha256}`;
}

/** The bytes of a file, piece by piece. */
export function readChunks(path: string, signal: AbortSignal): AsyncIterable<Buffer> {
  return createReadStream(path, { signal, highWaterMark: 1 << 20 });
}

/** Whether a file begins as every GGUF file does. False when it can't be read. */
export async function isGgufFile(path: string): Promise<boolean> {
  const file = await open(path, "r").catch(() => undefined);
  if (!file) return false;
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return bytesRead === 4 && buffer.toString("latin1") === ggufMagic;
  } catch {
    return false;
  } finally {
    await file.close();
  }
}

/** The first four bytes of every GGUF file. */
export const ggufMagic = "GGUF";
