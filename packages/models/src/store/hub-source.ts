import { type Environment, isTroupeError } from "@troupe/schema";
import type { HubSource } from "./catalogue.ts";
import type { PartFile } from "./part-file.ts";
import type { PullContext } from "./pull-context.ts";
import { SourceFailure } from "./source-failure.ts";
import { createWatchdog, type Watchdog } from "./watchdog.ts";

const publicHub = "https://huggingface.co";
const maxFruitlessTries = 3;

/**
 * Fetches the rest of a file from the model hub.
 *
 * A host that can't be reached fails at once, so that the next source is asked soon; a connection that breaks in the middle
 * is taken up again, as long as every few tries bring something.
 *
 * @throws SourceFailure with the line for the user; the signal's reason when aborted.
 */
export async function fetchFromHub(source: HubSource, part: PartFile, context: PullContext): Promise<void> {
  const url = hubUrl(source.repo, source.file, context.env);
  const lengthAtStart = part.length;
  let fruitless = 0;
  while (part.length < context.model.bytes) {
    const before = part.length;
    try {
      await fetchOnce(url, part, context);
    } catch (error) {
      context.signal.throwIfAborted();
      fruitless = part.length > before ? 1 : fruitless + 1;
      const begun = part.length !== lengthAtStart || error instanceof FileChanged;
      if (!begun || isTroupeError(error) || error instanceof SourceFailure || fruitless >= maxFruitlessTries) throw error;
      await context.clock.sleep(250 * 2 ** fruitless, context.signal);
    }
  }
}

/**
 * The address of a file on the hub. `TROUPE_HUB` or `HF_ENDPOINT` name another base URL, such as a mirror; `TROUPE_HUB=off` none.
 *
 * @throws SourceFailure when the variable is no HTTP URL, or says `off`.
 */
export function hubUrl(repo: string, file: string, env: Environment): string {
  const base = env["TROUPE_HUB"] || env["HF_ENDPOINT"] || publicHub;
  if (base === "off") throw new SourceFailure("turned off by TROUPE_HUB=off");
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) {
    throw new SourceFailure(`TROUPE_HUB or HF_ENDPOINT is no http(s) URL: ${base}`);
  }
  return `${base.replace(/\/+$/, "")}/${repo}/resolve/main/${file}`;
}

/** The server has another version of the file now; what was fetched is gone, and the next try begins anew. */
class FileChanged extends Error {}

async function fetchOnce(url: string, part: PartFile, context: PullContext): Promise<void> {
  const { model, signal, timeouts } = context;
  const host = new URL(url).host;
  const watchdog = createWatchdog(signal, (ms) => new Error(`${host} was silent for ${Math.round(ms / 100) / 10} s`));
  try {
    context.report({ source: "hub", phase: "connecting", bytes: part.length, detail: host });
    watchdog.touch(timeouts.connect);
    const response = await context.fetch(url, { signal: watchdog.signal, headers: requestHeaders(url, part), redirect: "follow" });
    await acceptResponse(url, response, part, model.bytes).catch(async (error) => {
      await response.body?.cancel();
      throw error;
    });
    await readBody(response, part, context, watchdog);
  } finally {
    watchdog.stop();
  }
  if (part.length < model.bytes) throw new Error(`${host} ended after ${part.length} of ${model.bytes} bytes`);
}

function requestHeaders(url: string, part: PartFile): Record<string, string> {
  const { etag, url: from } = part.journal;
  const headers: Record<string, string> = { "accept-encoding": "identity", "user-agent": "troupe" };
  if (part.length === 0) return headers;
  headers["range"] = `bytes=${part.length}-`;
  // Only a strong tag of the same address promises that the bytes are the same.
  if (etag !== undefined && from === url && !etag.startsWith("W/")) headers["if-range"] = etag;
  return headers;
}

/** Looks at the head of an answer, and makes the part ready for its body. */
async function acceptResponse(url: string, response: Response, part: PartFile, bytes: number): Promise<void> {
  const etag = response.headers.get("etag") ?? undefined;
  if (response.status === 206) {
    const known = part.journal.url === url ? part.journal.etag : undefined;
    await acceptRest(response, part, bytes, known !== undefined && etag !== undefined && etag !== known);
  } else if (response.status === 200) {
    if (part.length > 0) await part.restart();
    const length = response.headers.get("content-length");
    if (length !== null && Number(length) !== bytes) throw new SourceFailure(`its file has ${length} bytes, not ${bytes}`);
  } else {
    throw statusFailure(url, response.status);
  }
  await part.note({ url, etag });
}

async function acceptRest(response: Response, part: PartFile, bytes: number, changed: boolean): Promise<void> {
  const range = /^bytes (\d+)-\d+\/(\d+)$/.exec(response.headers.get("content-range") ?? "");
  if (changed || Number(range?.[1]) !== part.length) {
    await part.restart();
    throw new FileChanged("the file changed on the server");
  }
  if (Number(range?.[2]) !== bytes) throw new SourceFailure(`its file has ${range?.[2]} bytes, not ${bytes}`);
}

async function readBody(response: Response, part: PartFile, context: PullContext, watchdog: Watchdog): Promise<void> {
  const body: AsyncIterable<Uint8Array> | null = response.body;
  if (!body) return;
  watchdog.touch(context.timeouts.stall);
  for await (const chunk of body) {
    await part.append(chunk);
    watchdog.touch(context.timeouts.stall);
    context.report({ source: "hub", phase: "downloading", bytes: part.length });
  }
}

/** What to say of an answer that is not the file. */
export function statusFailure(url: string, status: number): Error {
  if (status === 404) return new SourceFailure(`${url} is not there (404)`);
  if (status === 401 || status === 403) return new SourceFailure(`${url} may not be read (${status})`);
  return new Error(`${url} answers ${status}`);
}
