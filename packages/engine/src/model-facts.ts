import type { ModelInfo, Notice } from "@troupe/schema";
import { engineTopic } from "./engine-topic.ts";
import type { Journal } from "./journal.ts";

const topic = `${engineTopic}model`;

/** Keeps in the log what agents were told of their models: prompts depend on it, and a replay has no model to ask. */
export class ModelFacts {
  readonly #journal: Journal;
  readonly #told = new Map<string, ModelInfo>();

  constructor(journal: Journal) {
    this.#journal = journal;
  }

  /** Logs it when it is new or has changed. */
  note(model: string, { contextTokens, tools }: ModelInfo): void {
    const before = this.#told.get(model);
    if (before?.contextTokens === contextTokens && before.tools === tools) return;
    this.#told.set(model, { contextTokens, tools });
    this.#journal.add({ kind: "notice", notice: { topic, scope: "", data: { model, contextTokens, tools } } });
  }
}

/** What a notice of {@link ModelFacts} says; undefined for any other notice. */
export function readModelFact({ topic: of, data }: Notice): { readonly model: string; readonly info: ModelInfo } | undefined {
  if (of !== topic || typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  const { model, contextTokens, tools } = data;
  if (typeof model !== "string" || typeof contextTokens !== "number" || (tools !== "native" && tools !== "text")) return undefined;
  return { model, info: { contextTokens, tools } };
}
