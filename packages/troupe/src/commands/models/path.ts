import { defaultModelName, modelDir, resolveModelFile } from "@troupe/models";
import type { TroupeContext } from "../../context.ts";

/** Prints where a model's file is. */
export async function path(this: TroupeContext, flags: { readonly verify: boolean }, name = defaultModelName): Promise<void> {
  const { stdout, env } = this.process;
  const file = await resolveModelFile(name, { dir: modelDir(env), env, signal: this.signal, base: this.cwd, verify: flags.verify });
  stdout.write(`${file}\n`);
}
