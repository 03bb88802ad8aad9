import { createHash, type Hash } from "node:crypto";
import { type FileHandle, open, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { TroupeError } from "@troupe/schema";
import { z } from "zod";
import type { CatalogueModel } from "./catalogue.ts";
import { ggufMagic, readChunks } from "./check-model-file.ts";
import { SourceFailure } from "./source-failure.ts";

const journal = z.strictObject({
  url: z.string().optional().describe("Where the hub's bytes came from"),
  etag: z.string().optional().describe("What that server called this version of the file"),
  partEnds: z.array(z.number().int().nonnegative()).default([]).describe("Where each joined part ends in the file"),
});

/** What must be remembered to go on with a broken download. */
export type PartJournal = z.infer<typeof journal>;

/**
 * The beginning of a model's file while it is being fetched: `FILE.part`, and its journal `FILE.part.json`.
 *
 * Whoever sent the bytes, it is a prefix of the one file with the catalogue's SHA-256, so that another source can go on
 * where the last one broke off. The caller holds the model's lock.
 */
export class PartFile {
  readonly #model: CatalogueModel;
  readonly #target: string;
  readonly #file: FileHandle;
  #hash: Hash = createHash("sha256");
  #length = 0;
  #journal: PartJournal = { partEnds: [] };

  private constructor(model: CatalogueModel, target: string, file: FileHandle) {
    this.#model = model;
    this.#target = target;
    this.#file = file;
  }

  /**
   * Opens or creates the part of `target`, and reads what is there for the checksum.
   *
   * @param onRead told how many bytes were read.
   */
  static async open(model: CatalogueModel, target: string, signal: AbortSignal, onRead: (bytes: number) => void): Promise<PartFile> {
    const part = new PartFile(model, target, await open(`${target}.part`, "a+"));
    try {
      await part.#load(signal, onRead);
      return part;
    } catch (error) {
      await part.close();
      throw error;
    }
  }

  /** Bytes that are on disk. */
  get length(): number {
    return this.#length;
  }

  get journal(): PartJournal {
    return this.#journal;
  }

  /**
   * Appends bytes.
   *
   * @throws SourceFailure when they can't belong to the model; TroupeError `disk_full`.
   */
  async append(chunk: Uint8Array): Promise<void> {
    if (this.#length < ggufMagic.length && !this.#fitsMagic(chunk)) throw new SourceFailure("what it sends is not a GGUF file");
    if (this.#length + chunk.length > this.#model.bytes) throw new SourceFailure(`sends more than ${this.#model.bytes} bytes`);
    try {
      await this.#file.appendFile(chunk);
    } catch (error) {
      throw diskFull(error, this.#target) ?? error;
    }
    this.#hash.update(chunk);
    this.#length += chunk.length;
  }

  /** Changes the journal and writes it. */
  async note(change: Partial<PartJournal>): Promise<void> {
    this.#journal = { ...this.#journal, ...change };
    await writeFile(`${this.#target}.part.json`, JSON.stringify(this.#journal));
  }

  /** Throws away what is there. */
  async restart(): Promise<void> {
    await this.#file.truncate(0);
    this.#hash = createHash("sha256");
    this.#length = 0;
    await this.note({ partEnds: [], etag: undefined, url: undefined });
  }

  /**
   * Makes the part the model's file: on disk, in one step, and only with the right sum. A wrong one is thrown away.
   *
   * @returns the SHA-256 when it is the wrong one.
   * @throws SourceFailure when bytes are missing.
   */
  async finish(): Promise<string | undefined> {
    const { bytes, sha256 } = this.#model;
    if (this.#length !== bytes) throw new SourceFailure(`ended after ${this.#length} of ${bytes} bytes`);
    const sum = this.#hash.copy().digest("hex");
    if (sum !== sha256) {
      await this.restart();
      return sum;
    }
    await this.#file.sync();
    await this.close();
    await rename(`${this.#target}.part`, this.#target);
    await rm(`${this.#target}.part.json`, { force: true });
    return undefined;
  }

  /** Lets the file go; what was fetched stays. May be called twice. */
  async close(): Promise<void> {
    await this.#file.close();
    if (this.#length === 0) await this.#remove();
  }

  async #remove(): Promise<void> {
    for (const file of [`${this.#target}.part`, `${this.#target}.part.json`]) await rm(file, { force: true });
  }

  async #load(signal: AbortSignal, onRead: (bytes: number) => void): Promise<void> {
    const { size } = await this.#file.stat();
    if (size === 0) return;
    if (size > this.#model.bytes) return this.restart();
    for await (const chunk of readChunks(`${this.#target}.part`, signal)) {
      this.#hash.update(chunk);
      this.#length += chunk.length;
      onRead(this.#length);
    }
    const read = journal.safeParse(
      await readFile(`${this.#target}.part.json`, "utf8")
        .then(JSON.parse)
        .catch(() => undefined),
    );
    if (!read.success) return;
    // After a crash the journal can be ahead of the bytes.
    this.#journal = { ...read.data, partEnds: read.data.partEnds.filter((end) => end <= this.#length) };
  }

  #fitsMagic(chunk: Uint8Array): boolean {
    const head = Buffer.from(chunk.subarray(0, ggufMagic.length)).toString("latin1");
    return ggufMagic.slice(this.#length).startsWith(head.slice(0, ggufMagic.length - this.#length));
  }
}

/** The error for a write that found the disk full, or nothing when it failed for another reason. */
function diskFull(error: unknown, path: string): TroupeError | undefined {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  if (code !== "ENOSPC" && code !== "EDQUOT") return undefined;
  return new TroupeError("disk_full", `The disk is full: ${path} can't be written. Make room and pull again; what was fetched is kept.`, {
    cause: error,
    details: { path },
  });
}

/** Bytes of a broken download that wait to be gone on with. */
export async function partBytes(target: string): Promise<number> {
  const stats = await stat(`${target}.part`).catch(() => undefined);
  return stats?.size ?? 0;
}
