import { openModels } from "@troupe/runtime";
import { systemClock } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";

/** Asks a model for one word. */
export async function ping(
  this: TroupeContext,
  flags: { readonly models?: string; readonly json: boolean },
  name = "default",
): Promise<void> {
  const { cwd, signal, messages } = this;
  const { stdout, env } = this.process;
  const world = { cwd, env, project: flags.models, onProgress: (message: string) => messages.show(message) };
  const models = await openModels(world, signal);
  try {
    const { contextTokens } = await models.info(name, signal);
    const started = systemClock.now();
    let first: number | undefined;
    const onDelta = () => {
      first ??= systemClock.now();
    };
    const request = {
      model: name,
      messages: [{ role: "user" as const, content: "Answer with the one word: ready" }],
      maxTokens: 16,
      temperature: 0,
    };
    const { text, endpoint, usage } = await models.chat(request, { signal, onDelta });
    const seconds = (systemClock.now() - started) / 1000;
    const facts = {
      model: name,
      endpoint,
      contextTokens,
      text: text.trim(),
      seconds,
      firstTokenSeconds: ((first ?? started) - started) / 1000,
      usage,
    };
    if (flags.json) stdout.write(`${JSON.stringify(facts)}\n`);
    else
      stdout.write(
        `${name} at ${endpoint}: "${JSON.stringify(facts.text).slice(1, -1)}" in ${seconds.toFixed(2)} s (first token after ${facts.firstTokenSeconds.toFixed(2)} s), context ${contextTokens} tokens\n`,
      );
  } finally {
    await models.close();
  }
}
