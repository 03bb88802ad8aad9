import { join, resolve as resolvePath } from "node:path";
import { checkProductFolder, headerOf, resumeTroupe } from "@troupe/runtime";
import { TroupeError } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import { finishRun } from "../../view/finish-run.ts";
import { terminalHuman } from "../../view/terminal-human.ts";
import { watchRun } from "../../view/watch-run.ts";
import { type LimitFlags, type WorldFlags, worldOf, callWords } from "../flags.ts";
import { limitsOf } from "../limits-of.ts";
import { withPorts } from "../with-world.ts";
import { answeringHuman } from "./answering-human.ts";

/** The flags of `troupe resume`. */
export interface ResumeFlags extends WorldFlags, LimitFlags {
  readonly out?: string;
  readonly keep: boolean;
  readonly acceptChanges: boolean;
  readonly answer?: string;
}

/** Goes on with a run, shows how it goes, and says what came of it. */
export async function resume(this: TroupeContext, flags: ResumeFlags, name: string): Promise<void> {
  await withPorts(flags, this, async (ports) => {
    const { store } = ports;
    const run = store.resolve(name);
    const earlier = store.events(run);
    const { topology, task } = headerOf(run, store);
    const out = flags.out ?? join("out", topology);
    await checkProductFolder(resolvePath(this.cwd, out));
    const terminal = terminalHuman(this);
    const human = flags.answer === undefined ? terminal : answeringHuman(flags.answer, earlier, terminal);
    const resumed = resumeTroupe(
      { ...worldOf(flags, this), run, limits: limitsOf(flags), ifChanged: ifChangedOf(flags), known: earlier, ports },
      { signal: this.signal, human },
    );
    const watched = await watchRun(resumed, this, { json: flags.json, human: terminal, read: (ref) => store.get(ref), earlier });
    await finishRun({ ...watched, context: this, ports, task, out, json: flags.json, words: callWords(flags) });
  });
}

function ifChangedOf({ keep, acceptChanges }: ResumeFlags): "refuse" | "keep" | "accept" {
  if (keep && acceptChanges) throw new TroupeError("call_invalid", "Give --keep or --accept-changes, not both.");
  if (keep) return "keep";
  return acceptChanges ? "accept" : "refuse";
}
