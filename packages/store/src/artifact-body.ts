import { deflateRawSync, inflateRawSync } from "node:zlib";

/** How an artifact's canonical JSON lies in the database. */
export interface ArtifactBody {
  readonly encoding: "plain" | "deflate";
  readonly body: Buffer;
}

/** Bytes from which on a body may be compressed. */
export const worthPacking = 1024;

/** Compresses a body of 1 KiB or more when that saves at least an eighth. */
export function packBody(plain: Buffer): ArtifactBody {
  if (plain.length < worthPacking) return { encoding: "plain", body: plain };
  const deflated = deflateRawSync(plain, { level: 3 });
  return deflated.length <= plain.length * 0.875 ? { encoding: "deflate", body: deflated } : { encoding: "plain", body: plain };
}

/**
 * The canonical JSON again.
 *
 * @param bytes its length; a body that unfolds to more is refused before it fills the memory.
 */
export function unpackBody(packed: ArtifactBody, bytes: number): Buffer {
  return packed.encoding === "plain" ? packed.body : inflateRawSync(packed.body, { maxOutputLength: Math.max(bytes, 1) });
}
