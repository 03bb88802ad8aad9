import { defaultModelName, modelDir, resolveModelFile, serveModel } from "@troupe/models";
import type { TroupeContext } from "../../context.ts";

interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly token?: string;
  readonly contextTokens?: number;
  readonly parallel?: number;
  readonly threads?: number;
  readonly gpu: boolean;
  readonly idle?: number;
}

/** Serves a model until Ctrl-C. */
export async function serve(this: TroupeContext, { idle, ...flags }: ServeFlags, name = defaultModelName): Promise<void> {
  const { stdout, env } = this.process;
  const file = await resolveModelFile(name, { dir: modelDir(env), env, signal: this.signal, base: this.cwd });
  this.messages.show(`loading ${name}`);
  const served = await serveModel({ ...flags, file, model: name, idleSeconds: idle, signal: this.signal, env });
  stdout.write(`${served.url}\n`);
  this.messages.show(
    `${name}, ${served.contextTokens} tokens of context. Ctrl-C ends it. In troupe.yaml:\n  models: { default: { endpoints: ["${served.url}"], model: "${name}" } }`,
  );
  await served.ended;
}
