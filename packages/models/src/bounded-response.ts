import { TroupeError } from "@troupe/schema";

const mebibyte = 1024 * 1024;
/** The most bytes that may come before an event with data is whole; an answer in one piece is far smaller. */
const mostEventBytes = 4 * mebibyte;
/** The most bytes of a body that is read as a whole: an error, a list of models. */
const mostBodyBytes = 4 * mebibyte;

const lineFeed = 10;
const carriageReturn = 13;
const returnFeedReturn = (carriageReturn << 16) | (lineFeed << 8) | carriageReturn;
const dataField = new TextEncoder().encode("data:");

/** `fetch` for event streams, with answers that can't fill the memory; see {@link boundEvents}. An error is read as a whole. */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, init);
  return response.ok ? boundEvents(response) : boundBody(response);
}

/**
 * An event stream that can't fill the memory: a reader keeps what has come until an event is whole, and lines without an end, events
 * without an end and comments may come for ever.
 *
 * @throws TroupeError `model_garbage` from its body.
 */
export function boundEvents(response: Response): Response {
  return passThrough(response, new EventBound().watch);
}

/**
 * An answer whose body, read as a whole, can't fill the memory.
 *
 * @throws TroupeError `model_garbage` from its body.
 */
export function boundBody(response: Response): Response {
  let bytes = 0;
  return passThrough(response, (chunk) => {
    bytes += chunk.length;
    if (bytes > mostBodyBytes)
      throw new TroupeError("model_garbage", `the answer does not end: more than ${mostBodyBytes / mebibyte} MiB came`);
  });
}

type Watch = (chunk: Uint8Array) => void;

function passThrough(response: Response, watch: Watch): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform: (chunk, controller) => {
      watch(chunk);
      controller.enqueue(chunk);
    },
  });
  return new Response(body.pipeThrough(watched), { status, statusText, headers });
}

/**
 * Counts the bytes since the last event that had data. An event ends with two equal line breaks in a row, as the `openai` package has
 * it: what it does not take for an end is none here either, since it reads on.
 */
class EventBound {
  #bytes = 0;
  /** Bytes of `data:` that the line has begun with; undefined once it can't be one. */
  #matched: number | undefined = 0;
  #hasData = false;
  /** The last three bytes, the newest lowest. */
  #last = 0;

  readonly watch = (chunk: Uint8Array): void => {
    for (const byte of chunk) this.#take(byte);
  };

  #take(byte: number): void {
    this.#bytes++;
    if (byte === lineFeed || byte === carriageReturn) this.#breakLine(byte);
    else if (this.#matched !== undefined) this.#match(byte, this.#matched);
    this.#last = ((this.#last << 8) | byte) & 0xffffff;
    if (this.#bytes > mostEventBytes)
      throw new TroupeError(
        "model_garbage",
        `the answer is not a chat stream: more than ${mostEventBytes / mebibyte} MiB came without one whole event`,
      );
  }

  #breakLine(byte: number): void {
    this.#matched = 0;
    const isEnd = (this.#last & 0xff) === byte || (byte === lineFeed && this.#last === returnFeedReturn);
    if (!isEnd || !this.#hasData) return;
    this.#bytes = 0;
    this.#hasData = false;
  }

  #match(byte: number, matched: number): void {
    this.#matched = byte === dataField[matched] ? matched + 1 : undefined;
    if (this.#matched !== dataField.length) return;
    this.#hasData = true;
    this.#matched = undefined;
  }
}
