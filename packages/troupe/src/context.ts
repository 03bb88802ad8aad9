import type { CommandContext } from "@stricli/core";
import type { openModels, openPorts, openRuns } from "@troupe/runtime";

/** What a stream of the terminal offers. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  getColorDepth?(env?: Readonly<Partial<Record<string, string>>>): number;
}

/** Where lines come from that a person types. */
export type InputStream = NodeJS.ReadableStream & { readonly isTTY?: boolean };

/** The world as a command sees it; tests make their own. */
export interface TroupeContext extends CommandContext {
  readonly process: {
    readonly stdout: OutputStream;
    readonly stderr: OutputStream;
    /** Looked at only when a person is asked something. */
    readonly stdin?: InputStream;
    readonly env: Readonly<Record<string, string | undefined>>;
    exitCode?: number | string | null;
  };
  readonly cwd: string;
  /** Aborted by the first Ctrl-C; the second one ends the process. */
  readonly signal: AbortSignal;
  /** Messages that come at any time: a line on stderr, unless a live view has taken them over. */
  readonly messages: Messages;
  /** Work that must be done even when the process ends at once, such as giving the cursor back. */
  readonly lastWords: Set<() => void>;
  /** How the world is opened; default: as the runtime does. Tests bring their own. */
  readonly open?: { readonly ports: typeof openPorts; readonly runs: typeof openRuns; readonly models?: typeof openModels };
  /** Set by a command that ends well but must not exit with 0. */
  exit: number | undefined;
}

/** Where messages to the person go that no command prints by itself, such as the progress of loading a model. */
export interface Messages {
  show(message: string): void;
  /** Takes the messages over until the answer is called. */
  takeOver(show: (message: string) => void): () => void;
}

/** Messages that are lines on a stream until somebody takes them over. */
export function createMessages(stream: OutputStream): Messages {
  const print = (message: string): void => void stream.write(`${message}\n`);
  let current = print;
  return {
    show: (message) => current(message),
    takeOver: (show) => {
      current = show;
      return () => {
        current = print;
      };
    },
  };
}
