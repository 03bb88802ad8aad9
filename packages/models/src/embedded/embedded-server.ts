import type { EmbeddedModel } from "@troupe/schema";

/** A running server of an embedded model, kept alive until it is released. */
export interface EmbeddedServer {
  /** Base URL on the loopback interface, such as http://127.0.0.1:40123/v1. */
  readonly url: string;
  /** Bearer token of the server. */
  readonly token: string;
  /** Process id of the server. */
  readonly pid: number;
  /** The model's name on the server. */
  readonly model: string;
  /** Tokens that prompt and answer may have together. */
  readonly contextTokens: number;
  /** Stops keeping the server alive; it ends by itself when nobody else uses it. */
  release(): void;
  /** Ends the server now, also for others that use it. */
  stop(): Promise<void>;
}

/** Starts the server of an embedded model, or finds the one that runs already. */
export type StartEmbedded = (entry: EmbeddedModel, signal: AbortSignal) => Promise<EmbeddedServer>;
