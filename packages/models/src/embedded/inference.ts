/** One message, as a chat template takes it. */
export interface InferenceMessage {
  readonly role: "system" | "user" | "assistant";
  readonly content: string;
}

/** What a local model is asked. */
export interface InferenceRequest {
  readonly messages: readonly InferenceMessage[];
  /** Tokens the answer may have; default: whatever fits. */
  readonly maxTokens?: number | undefined;
  /** 0 (the default) always takes the most probable token. */
  readonly temperature?: number | undefined;
  readonly topP?: number | undefined;
  readonly seed?: number | undefined;
  readonly stop?: readonly string[] | undefined;
  /** What the text must be: any JSON, or JSON of this schema. */
  readonly json?: "any" | Readonly<Record<string, unknown>> | undefined;
}

/** How an answer is generated. */
export interface GenerateOptions {
  readonly signal: AbortSignal;
  /** Told once the model works on it; until then it was queued. */
  readonly onBegin: () => void;
  /** Told each piece of text. */
  readonly onText: (piece: string) => void;
}

/** How a generation ended. */
export interface GenerateResult {
  readonly finish: "stop" | "length";
  readonly completionTokens: number;
  /** Prompt tokens that were still in memory from an earlier request. */
  readonly cachedTokens: number;
}

/** A request that was found to fit, but is not answered yet. */
export interface PreparedAnswer {
  readonly promptTokens: number;
  /**
   * Waits for a free sequence and writes the answer.
   *
   * @throws the signal's reason as soon as it is aborted; the sequence is free again then.
   */
  generate(options: GenerateOptions): Promise<GenerateResult>;
}

/** Vectors of texts. */
export interface Embeddings {
  /** One for each text, of any norm. */
  readonly vectors: readonly (readonly number[])[];
  /** Tokens of all texts together. */
  readonly tokens: number;
}

/** A loaded model: one that writes answers, or one that turns texts into vectors. */
export interface Inference {
  /** Tokens that prompt and answer may have together. */
  readonly contextTokens: number;
  /**
   * Checks a request before anything of the answer is sent.
   *
   * @throws TroupeError `model_context_overflow` when the prompt is too long, `model_refused` when the schema can't be used
   *   or the model writes no answers.
   */
  prepare(request: InferenceRequest): Promise<PreparedAnswer>;
  /**
   * Turns texts into vectors, one after another.
   *
   * @throws TroupeError `model_context_overflow` when a text is too long, before any is worked on; `model_refused` when the model
   *   writes answers instead; the signal's reason when aborted.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<Embeddings>;
  /** Frees the model's memory. */
  close(): Promise<void>;
}
