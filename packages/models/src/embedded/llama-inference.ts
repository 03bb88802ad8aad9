import { TroupeError } from "@troupe/schema";
import type { ChatWrapper, Llama, LlamaContextSequence, LlamaGrammar, LlamaModel, Token } from "node-llama-cpp";
import { toGrammarSchema } from "./grammar-schema.ts";
import type { GenerateOptions, GenerateResult, Inference, InferenceRequest, PreparedAnswer } from "./inference.ts";
import { isEmbeddingModel, loadEmbedding, refuseEmbedding } from "./llama-embedding.ts";
import { firstToken, type LlamaPrompt, toLlamaPrompt } from "./llama-prompt.ts";
import { createSequencePool, type PooledSequence, type SequencePool } from "./sequence-pool.ts";
import { governThreads } from "./thread-governor.ts";

/** How a model is loaded. */
export interface LoadOptions {
  /** Path of the GGUF file. */
  readonly file: string;
  /** Tokens of each sequence; no more than the model was trained for. */
  readonly contextTokens: number;
  /** Sequences that share the model. */
  readonly parallel: number;
  /** At most; fewer while other programs use the cores. */
  readonly threads: number;
  readonly gpu: boolean;
}

/** Prompts are read in pieces of this many tokens, so that an abort is seen between them. */
const promptPiece = 256;
/** An answer of fewer tokens is not worth a prompt. */
const leastAnswer = 16;

interface LlamaSequence extends PooledSequence<Token> {
  readonly sequence: LlamaContextSequence;
}

interface LoadedLlama {
  readonly llama: Llama;
  readonly model: LlamaModel;
  readonly wrapper: ChatWrapper;
  readonly pool: SequencePool<Token, LlamaSequence>;
  readonly contextTokens: number;
}

/**
 * Loads a GGUF model once and serves any number of requests from it; those that run at once share each step of computation.
 *
 * The process must run with `UV_THREADPOOL_SIZE=1`: the native library picks the next tokens of parallel sequences on that pool, and
 * with more than one thread words of one answer turn up in another.
 *
 * @param onProgress told how much is loaded, from 0 to 1.
 * @throws whatever the native library throws: no binary for this machine, not a model, not enough memory.
 */
export async function loadLlama(options: LoadOptions, onProgress: (fraction: number) => void): Promise<Inference> {
  const { getLlama, LlamaLogLevel, resolveChatWrapper } = await import("node-llama-cpp");
  const llama = await getLlama({
    gpu: options.gpu ? "auto" : false,
    build: "never",
    skipDownload: true,
    progressLogs: false,
    logLevel: LlamaLogLevel.error,
    maxThreads: options.threads,
  });
  const model = await llama.loadModel({ modelPath: options.file, onLoadProgress: onProgress });
  const served = isEmbeddingModel(model)
    ? await loadEmbedding(model, options)
    : await loadWriter({ llama, model, wrapper: resolveChatWrapper(model) }, options);
  const ungovern = governThreads(options.threads, (threads) => {
    llama.maxThreads = threads;
  });
  return {
    ...served,
    close: () => {
      ungovern();
      return llama.dispose();
    },
  };
}

/** Serves a model that writes answers. */
async function loadWriter(
  parts: Pick<LoadedLlama, "llama" | "model" | "wrapper">,
  options: LoadOptions,
): Promise<Omit<Inference, "close">> {
  const { model } = parts;
  const context = await model.createContext({
    sequences: options.parallel,
    contextSize: Math.min(options.contextTokens, model.trainContextSize),
    threads: options.threads,
    flashAttention: "auto",
  });
  const sequences = Array.from({ length: options.parallel }, () => toPooled(context.getSequence()));
  const contextTokens = Math.min(options.contextTokens, context.contextSize);
  const loaded: LoadedLlama = { ...parts, pool: createSequencePool(sequences), contextTokens };
  return { contextTokens, prepare: (request) => prepare(loaded, request), embed: refuseEmbedding };
}

function toPooled(sequence: LlamaContextSequence): LlamaSequence {
  return {
    sequence,
    get size() {
      return sequence.nextTokenIndex;
    },
    commonPrefix: (tokens) => sequence.compareContextTokens([...tokens]).firstDifferentIndex,
  };
}

async function prepare(loaded: LoadedLlama, request: InferenceRequest): Promise<PreparedAnswer> {
  const prompt = toLlamaPrompt(request.messages, loaded.wrapper, loaded.model);
  const promptTokens = prompt.tokens.length;
  const left = loaded.contextTokens - promptTokens - 1;
  if (left < Math.min(leastAnswer, request.maxTokens ?? leastAnswer)) {
    throw new TroupeError(
      "model_context_overflow",
      `The prompt has ${promptTokens} tokens, and the maximum context length is ${loaded.contextTokens} tokens for prompt and answer together.`,
    );
  }
  const grammar = await toGrammar(loaded.llama, request.json);
  const maxTokens = Math.min(request.maxTokens ?? left, left);
  return { promptTokens, generate: (options) => generate(loaded, prompt, { ...request, maxTokens, grammar }, options) };
}

async function toGrammar(llama: Llama, json: InferenceRequest["json"]): Promise<LlamaGrammar | undefined> {
  if (json === undefined) return undefined;
  if (json === "any") return llama.getGrammarFor("json");
  const schema = toGrammarSchema(json) as Parameters<Llama["createGrammarForJsonSchema"]>[0];
  try {
    return await llama.createGrammarForJsonSchema(schema);
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw new TroupeError("model_refused", `The embedded model can't use the response schema: ${why}`, { cause: thrown });
  }
}

type Sampling = InferenceRequest & { readonly maxTokens: number; readonly grammar: LlamaGrammar | undefined };

async function generate(loaded: LoadedLlama, prompt: LlamaPrompt, sampling: Sampling, options: GenerateOptions): Promise<GenerateResult> {
  const held = await loaded.pool.acquire(prompt.tokens, options.signal);
  try {
    options.onBegin();
    const cachedTokens = await readPrompt(held.sequence, prompt.tokens, options.signal);
    return { ...(await write(held.sequence, prompt, sampling, options)), cachedTokens };
  } catch (thrown) {
    // After a fault of the library nobody knows what the sequence remembers.
    if (!options.signal.aborted) await held.sequence.clearHistory();
    throw thrown;
  } finally {
    loaded.pool.release(held);
  }
}

/** Evaluates the prompt but for its last token, which the first step of writing needs. */
async function readPrompt(sequence: LlamaContextSequence, tokens: readonly Token[], signal: AbortSignal): Promise<number> {
  const known = tokens.slice(0, -1);
  await sequence.adaptStateToTokens(known, false);
  const cachedTokens = sequence.nextTokenIndex;
  for (let at = cachedTokens; at < known.length; at += promptPiece) {
    signal.throwIfAborted();
    await sequence.evaluateWithoutGeneratingNewTokens(known.slice(at, at + promptPiece));
  }
  signal.throwIfAborted();
  return cachedTokens;
}

async function write(
  sequence: LlamaContextSequence,
  { tokens, stops }: LlamaPrompt,
  sampling: Sampling,
  { signal, onText }: GenerateOptions,
): Promise<Pick<GenerateResult, "finish" | "completionTokens">> {
  const { LlamaCompletion } = await import("node-llama-cpp");
  const completion = new LlamaCompletion({ contextSequence: sequence });
  const { temperature = 0, topP, seed, maxTokens, grammar } = sampling;
  const before = sequence.tokenMeter.getState();
  // The library puts the first token before whatever it is given.
  const input = tokens[0] === firstToken(sequence.model) ? tokens.slice(1) : tokens;
  try {
    const { metadata } = await completion.generateCompletionWithMeta(input, {
      signal,
      onTextChunk: onText,
      maxTokens,
      temperature,
      repeatPenalty: false,
      customStopTriggers: [...stops, ...(sampling.stop ?? [])],
      contextShiftSize: 1,
      disableContextShift: true,
      ...(topP === undefined ? {} : { topP }),
      ...(seed === undefined ? {} : { seed }),
      ...(grammar === undefined ? {} : { grammar }),
    });
    const { usedOutputTokens } = sequence.tokenMeter.diff(before);
    return { finish: metadata.stopReason === "maxTokens" ? "length" : "stop", completionTokens: usedOutputTokens };
  } finally {
    completion.dispose({ disposeSequence: false });
  }
}
