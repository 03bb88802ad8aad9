import crypto from "node:crypto";
import { type Artifact, type ArtifactRef, artifact, canonicalJson, sortFiles, TroupeError } from "@troupe/schema";
import type { Database } from "better-sqlite3";
import { type ArtifactBody, packBody, unpackBody, worthPacking } from "./artifact-body.ts";

/**
 * Artifacts by hash; what was put lies in memory until {@link ArtifactTable.flush} writes it inside a transaction, also what is on disk
 * already: until an event names it, somebody may prune it.
 */
export interface ArtifactTable {
  put(artifact: Artifact): ArtifactRef;
  get(hash: string): Artifact;
  /**
   * Writes what was put since the last time; call it inside a write transaction.
   *
   * @param at milliseconds since 1970: before the events that name it, and not before its session began.
   */
  flush(at: number): void;
  /** Forgets what {@link flush} wrote; call it once the transaction is committed. */
  settle(): void;
  /** Bytes that wait for {@link flush}. */
  readonly waiting: number;
}

type Row = ArtifactBody & { readonly bytes: number };

/** The artifacts of a database. */
export function createArtifactTable(db: Database): ArtifactTable {
  const touch = db.prepare<[number, Buffer]>("UPDATE artifacts SET put_at = max(put_at, ?) WHERE hash = ?");
  const insert = db.prepare(`INSERT INTO artifacts (hash, kind, bytes, encoding, body, put_at) VALUES (?, ?, ?, ?, ?, ?)
    ON CONFLICT (hash) DO UPDATE SET put_at = max(put_at, excluded.put_at)`);
  const select = db.prepare<[Buffer], Row>("SELECT bytes, encoding, body FROM artifacts WHERE hash = ?");
  const pending = new Map<string, { readonly ref: ArtifactRef; readonly key: Buffer; readonly plain: Buffer }>();
  let waiting = 0;

  return {
    put(value) {
      const plain = Buffer.from(jsonOf(value));
      const key = sha256(plain);
      const ref: ArtifactRef = { hash: key.toString("hex"), kind: value.kind, bytes: plain.length };
      if (pending.has(ref.hash)) return ref;
      pending.set(ref.hash, { ref, key, plain });
      waiting += plain.length;
      return ref;
    },
    get(hash) {
      const plain = pending.get(hash)?.plain ?? readBody(hash, select.get(Buffer.from(hash, "hex")));
      return readArtifact(hash, plain);
    },
    flush(at) {
      for (const { ref, key, plain } of pending.values()) {
        // Packing a large body costs more than looking whether it is there.
        if (ref.bytes >= worthPacking && touch.run(at, key).changes > 0) continue;
        const { encoding, body } = packBody(plain);
        insert.run(key, ref.kind, ref.bytes, encoding, body, at);
      }
    },
    settle() {
      pending.clear();
      waiting = 0;
    },
    get waiting() {
      return waiting;
    },
  };
}

/** The canonical JSON of an artifact. Most are texts, and sorting two keys that are in order costs more than all else here. */
function jsonOf(value: Artifact): string {
  if (value.kind === "text") return `{"kind":"text","text":${JSON.stringify(value.text)}}`;
  return canonicalJson(value.kind === "files" ? { ...value, files: sortFiles(value.files) } : value);
}

function readArtifact(hash: string, plain: Buffer): Artifact {
  try {
    return artifact.parse(JSON.parse(plain.toString()));
  } catch (cause) {
    throw damaged(hash, "is not an artifact", cause);
  }
}

function readBody(hash: string, row: Row | undefined): Buffer {
  if (row === undefined) throw damaged(hash, "is not in the database");
  const plain = unfold(hash, row);
  if (sha256(plain).toString("hex") !== hash) throw damaged(hash, "no longer has the content that its name says");
  return plain;
}

function unfold(hash: string, row: Row): Buffer {
  try {
    return unpackBody(row, row.bytes);
  } catch (cause) {
    throw damaged(hash, "can't be unpacked", cause);
  }
}

function damaged(hash: string, what: string, cause?: unknown): TroupeError {
  const message = `Artifact ${hash.slice(0, 12)} ${what}. The run's log and its other artifacts can still be read.`;
  return new TroupeError("store_damaged", message, { cause, details: { hash } });
}

/** Node 20.12 and later hash in one call, without an object that has to be collected for each artifact. */
const hashAtOnce = "hash" in crypto ? crypto.hash : undefined;

function sha256(bytes: Buffer): Buffer {
  return hashAtOnce?.("sha256", bytes, "buffer") ?? crypto.createHash("sha256").update(bytes).digest();
}
