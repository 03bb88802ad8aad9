import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { createRandom } from "@troupe/schema";
import { onTestFinished } from "vitest";
import type { CatalogueModel, DownloadSource } from "../../packages/models/src/store/catalogue.ts";
import type { RunProgram } from "../../packages/models/src/store/pip.ts";
import type { PullOptions } from "../../packages/models/src/store/pull-model.ts";

export const hubSource: DownloadSource = { kind: "hub", repo: "maker/model-GGUF", file: "tiny.gguf" };

/** A file of pseudo-random bytes that begins as a GGUF file does. */
export function makeContent(bytes: number, seed = 1): Buffer {
  const random = createRandom(seed);
  const content = Buffer.from(Uint8Array.from({ length: bytes }, () => Math.floor(random.next() * 256)));
  content.write("GGUF");
  return content;
}

export function makeModel(content: Buffer, downloads: readonly DownloadSource[]): CatalogueModel {
  return {
    name: "tiny",
    title: "Tiny",
    fileName: "tiny.gguf",
    bytes: content.length,
    sha256: createHash("sha256").update(content).digest("hex"),
    licence: "Apache-2.0",
    parameters: 1,
    quantisation: "Q4_1",
    goodFor: "plumbing",
    note: "for tests",
    memoryBytes: 1,
    downloads,
  };
}

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "troupe-store-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Options of a pull that reaches nothing outside of the test. */
export function makeOptions(dir: string, model: CatalogueModel, change: Partial<PullOptions> = {}): PullOptions {
  return {
    dir,
    models: [model],
    signal: new AbortController().signal,
    env: { TROUPE_HUB: "off" },
    runProgram: noPython,
    freeSpace: async () => 1e12,
    ...change,
  };
}

const noPython: RunProgram = async (program) => {
  throw Object.assign(new Error(`spawn ${program} ENOENT`), { code: "ENOENT" });
};

/** How the fake hub answers one request. */
export type Reply = (request: IncomingMessage, response: ServerResponse) => void;

export interface FakeHub {
  readonly url: string;
  readonly requests: IncomingMessage[];
}

/** An HTTP server on loopback; the replies are used one after the other, the last one for ever. */
export async function startHub(...replies: Reply[]): Promise<FakeHub> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    replies[Math.min(requests.length, replies.length) - 1]?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(
    () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  );
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

/** Serves a file as a good server does: ranges, and an ETag that `If-Range` is compared with. */
export function serve(content: Buffer, etag = '"v1"', breakAfter = Number.POSITIVE_INFINITY): Reply {
  return (request, response) => {
    const range = /^bytes=(\d+)-$/.exec(request.headers.range ?? "");
    const wanted = request.headers["if-range"];
    const start = range && (wanted === undefined || wanted === etag) ? Number(range[1]) : 0;
    const body = content.subarray(start);
    response.writeHead(start > 0 ? 206 : 200, {
      etag,
      "content-length": body.length,
      ...(start > 0 && { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` }),
    });
    if (body.length <= breakAfter) response.end(body);
    else response.write(body.subarray(0, breakAfter), () => setTimeout(() => response.destroy(), 50));
  };
}

/** A zip archive as `pip` would leave it: stored, not compressed. */
export function makeWheel(entries: Readonly<Record<string, Buffer>>): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const [name, data] of Object.entries(entries)) {
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt32LE(crc32(data), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(data.length, 18);
    fields.writeUInt16LE(name.length, 22);
    const at = Buffer.alloc(14);
    at.writeUInt32LE(offset, 10);
    central.push(Buffer.from("PK\x01\x02\x14\x00", "latin1"), fields, at, Buffer.from(name));
    local.push(Buffer.from("PK\x03\x04"), fields, Buffer.from(name), data);
    offset += 30 + name.length + data.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(Object.keys(entries).length, 4);
  end.writeUInt16LE(Object.keys(entries).length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, Buffer.from("PK\x05\x06"), end]);
}

/** A pip that serves these wheels by requirement, and remembers what it was asked for. */
export function fakePip(wheels: Readonly<Record<string, Buffer>>): { run: RunProgram; asked: string[] } {
  const asked: string[] = [];
  const run: RunProgram = async (_program, args, { signal }) => {
    signal.throwIfAborted();
    const requirement = args.at(-1) ?? "";
    const folder = args[args.indexOf("--dest") + 1] ?? "";
    asked.push(requirement);
    const wheel = wheels[requirement];
    if (!wheel) return { code: 1, stderr: `WARNING: slow\nERROR: No matching distribution found for ${requirement}\n` };
    await writeFile(join(folder, `${requirement.replace("==", "-")}-py3-none-any.whl`), wheel);
    return { code: 0, stderr: "" };
  };
  return { run, asked };
}
