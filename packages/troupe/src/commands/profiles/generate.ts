import { generateProfiles } from "@troupe/agents";
import { openModels } from "@troupe/runtime";
import { systemClock, TroupeError } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import { exitCodes } from "../../exit-code.ts";
import { jsonLine, oneLine } from "../../view/terminal-text.ts";
import { duration, plural } from "../../view/words.ts";
import { shownPath } from "../shown-path.ts";
import { openPoolFile, type PoolFile } from "./pool-file.ts";

/** The flags of `troupe profiles generate`. */
export interface GenerateFlags {
  readonly out: string;
  readonly count: number;
  readonly about?: string;
  readonly model?: string;
  readonly seed?: number;
  readonly models?: string;
  readonly json: boolean;
}

/** Adds profiles to a pool until it has so many. */
export async function generate(this: TroupeContext, flags: GenerateFlags): Promise<void> {
  const { stdout } = this.process;
  const given = flags.about === undefined ? undefined : oneLine(flags.about);
  const pool = await openPoolFile(shownPath(flags.out, this), given, this.signal);
  const about = given ?? pool.description;
  if (about === undefined || about === "")
    throw new TroupeError("call_invalid", `Say with --about "…" what the people are for; ${flags.out} has no description that would tell.`);
  const size = await fill(this, flags, { pool, about });
  if (!flags.json) stdout.write(`${flags.out}\n`);
  if (size >= flags.count) return;
  this.exit = exitCodes.failed;
  this.messages.show(
    `The model names nobody new any more: ${flags.out} has ${size} of ${flags.count}. Go on with another --seed, or with another --about or --model.`,
  );
}

interface Filling {
  readonly pool: PoolFile;
  readonly about: string;
}

/** Asks until there are enough, keeps what comes, and says how far it is; gives the size of the pool. */
async function fill(context: TroupeContext, flags: GenerateFlags, { pool, about }: Filling): Promise<number> {
  const { cwd, signal, messages } = context;
  const { stdout, env } = context.process;
  const known = pool.profiles;
  if (known.length >= flags.count) {
    messages.show(`${flags.out} has ${plural(known.length, "profile")} already.`);
    return known.length;
  }
  const open = context.open?.models ?? openModels;
  const models = await open({ cwd, env, project: flags.models, onProgress: (message) => messages.show(message) }, signal);
  const progress = { began: systemClock.now(), before: known.length, size: known.length, repeated: 0 };
  try {
    const { model = "default", seed = 0 } = flags;
    for await (const batch of generateProfiles({ about, known, count: flags.count - known.length, model, seed }, { models, signal })) {
      await pool.add(batch.profiles);
      if (flags.json) for (const profile of batch.profiles) stdout.write(jsonLine(profile));
      progress.size += batch.profiles.length;
      progress.repeated += batch.repeated;
      messages.show(describe(progress, flags.count));
    }
  } finally {
    if (signal.aborted && progress.size > known.length) messages.show(`What is done is in ${flags.out}; the same call goes on from there.`);
    await models.close();
  }
  return progress.size;
}

/** How far it is, and how long the rest takes at the pace so far. */
function describe(progress: { began: number; before: number; size: number; repeated: number }, count: number): string {
  const { began, before, size, repeated } = progress;
  const again = repeated === 0 ? "" : ` (${repeated} named again)`;
  const secondsEach = (systemClock.now() - began) / 1000 / (size - before);
  const isKnown = size > before && size < count;
  return `${size} of ${count} profiles${again}${isKnown ? `, about ${duration(secondsEach * (count - size))} left` : ""}`;
}
