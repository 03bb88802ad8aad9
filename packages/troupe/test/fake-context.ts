import { PassThrough } from "node:stream";
import { createMessages, type InputStream, type OutputStream, type TroupeContext } from "../src/context.ts";

/** A stream that keeps what is written. */
export interface FakeStream extends OutputStream {
  text(): string;
  columns: number;
  rows: number;
}

/** What a person types. */
export type FakeInput = InputStream & Pick<PassThrough, "write" | "end">;

/** A context whose streams can be read. */
export interface FakeContext extends TroupeContext {
  readonly process: {
    readonly stdout: FakeStream;
    readonly stderr: FakeStream;
    readonly stdin: FakeInput;
    readonly env: Record<string, string | undefined>;
    exitCode?: number | string | null;
  };
  /** What Ctrl-C aborts. */
  readonly controller: AbortController;
}

/** Makes a stream that keeps what is written; a terminal of 80 × 24 when asked for. */
export function fakeStream(isTTY = false): FakeStream {
  const parts: string[] = [];
  return { write: (text: string) => parts.push(text), text: () => parts.join(""), isTTY, columns: 80, rows: 24 };
}

/** Makes an input that waits for what the test writes. */
export function fakeInput(isTTY = false): FakeInput {
  return Object.assign(new PassThrough(), { isTTY });
}

/** Makes a context for tests of commands: fake streams, an empty environment, a signal that the test aborts. */
export function fakeContext(options: { cwd?: string; terminal?: boolean; env?: Record<string, string> } = {}): FakeContext {
  const controller = new AbortController();
  const stderr = fakeStream(options.terminal);
  const streams = { stdout: fakeStream(options.terminal), stderr, stdin: fakeInput(options.terminal), env: { ...options.env } };
  return {
    process: streams,
    cwd: options.cwd ?? "/nowhere",
    signal: controller.signal,
    controller,
    messages: createMessages(stderr),
    lastWords: new Set(),
    exit: undefined,
  };
}
