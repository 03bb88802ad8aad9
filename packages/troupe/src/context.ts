import type { CommandContext } from "@stricli/core";

/** What a stream of the terminal offers. */
export interface OutputStream {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
  getColorDepth?(env?: Readonly<Partial<Record<string, string>>>): number;
}

/** The world as a command sees it; tests make their own. */
export interface TroupeContext extends CommandContext {
  readonly process: {
    readonly stdout: OutputStream;
    readonly stderr: OutputStream;
    readonly env: Readonly<Record<string, string | undefined>>;
    exitCode?: number | string | null;
  };
  readonly cwd: string;
  /** Aborted by the first Ctrl-C; the second one ends the process. */
  readonly signal: AbortSignal;
  /** Set by a command that ends well but must not exit with 0. */
  exit: number | undefined;
}
