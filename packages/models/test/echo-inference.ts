import { TroupeError } from "@troupe/schema";
import type { Inference, InferenceRequest } from "../src/embedded/inference.ts";

/** A stand-in for a loaded model: says the last message again, word by word, for as long as the test lets it. */
export interface EchoInference extends Inference {
  readonly requests: readonly InferenceRequest[];
  /** Generations that run now. */
  readonly running: number;
}

/** Makes the stand-in; a prompt of more than `contextTokens` characters is too long, and "wait" waits until aborted. */
export function createEchoInference(contextTokens = 1000): EchoInference {
  const requests: InferenceRequest[] = [];
  let running = 0;
  return {
    contextTokens,
    requests,
    get running() {
      return running;
    },
    close: async () => undefined,
    embed: async (texts, signal) => {
      signal.throwIfAborted();
      if (texts.some((text) => text.length > contextTokens))
        throw new TroupeError("model_context_overflow", `more than ${contextTokens} tokens`);
      return { vectors: texts.map((text) => [text.length, 0, 1]), tokens: texts.join("").length };
    },
    prepare: async (request) => {
      const prompt = request.messages.at(-1)?.content ?? "";
      if (prompt.length > contextTokens) throw new TroupeError("model_context_overflow", `${prompt.length} of ${contextTokens} tokens`);
      requests.push(request);
      return {
        promptTokens: prompt.length,
        generate: async ({ signal, onBegin, onText }) => {
          running++;
          try {
            onBegin();
            if (prompt === "fail") throw new Error("native fault");
            const words = prompt.split(/(?<= )/);
            for (const word of words) onText(word);
            if (prompt === "wait") await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
            return { finish: "stop", completionTokens: words.length, cachedTokens: 1 };
          } finally {
            running--;
          }
        },
      };
    },
  };
}
