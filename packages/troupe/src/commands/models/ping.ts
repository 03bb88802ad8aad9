import { openModels } from "@troupe/runtime";
import { type ChatRequest, type ModelClient, systemClock } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import { oneLine } from "../../view/terminal-text.ts";

/** Asks a model for one word, and says how fast it answered. */
export async function ping(
  this: TroupeContext,
  flags: { readonly models?: string; readonly json: boolean },
  name = "default",
): Promise<void> {
  const { cwd, signal, messages } = this;
  const { stdout, env } = this.process;
  const onProgress = (message: string) => messages.show(message);
  const models = await openModels({ cwd, env, project: flags.models, onProgress }, signal);
  try {
    const facts = await askOnce(models, name, signal);
    stdout.write(`${flags.json ? JSON.stringify(facts) : describe(facts)}\n`);
  } finally {
    await models.close();
  }
}

async function askOnce(models: ModelClient, model: string, signal: AbortSignal) {
  const { contextTokens } = await models.info(model, signal);
  const started = systemClock.now();
  let firstAt: number | undefined;
  const onDelta = () => {
    firstAt ??= systemClock.now();
  };
  const messages: ChatRequest["messages"] = [{ role: "user", content: "Answer with the one word: ready" }];
  const { text, endpoint, usage } = await models.chat({ model, messages, maxTokens: 16, temperature: 0 }, { signal, onDelta });
  const since = (at: number) => (at - started) / 1000;
  return {
    model,
    endpoint,
    contextTokens,
    text: text.trim(),
    seconds: since(systemClock.now()),
    firstTokenSeconds: since(firstAt ?? started),
    usage,
  };
}

function describe(facts: Awaited<ReturnType<typeof askOnce>>): string {
  const { model, endpoint, contextTokens, text, seconds, firstTokenSeconds } = facts;
  const times = `${seconds.toFixed(2)} s (first token after ${firstTokenSeconds.toFixed(2)} s)`;
  return `${model} at ${endpoint}: "${oneLine(text)}" in ${times}, context ${contextTokens} tokens`;
}
