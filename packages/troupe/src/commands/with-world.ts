import { openPorts, openRuns, type Ports } from "@troupe/runtime";
import type { Damaged, RunStore } from "@troupe/schema";
import type { TroupeContext } from "../context.ts";
import { exitCodeOfError } from "../exit-code.ts";
import { formatError } from "../format-error.ts";
import { colorsOf } from "../view/colors.ts";
import { sandboxWords } from "../view/sandbox-words.ts";
import { type WorldFlags, worldOf } from "./flags.ts";

/** Opens the world that the flags describe for some work, and closes it in any case. */
export async function withPorts(flags: WorldFlags, context: TroupeContext, work: (ports: Ports) => Promise<void>): Promise<void> {
  const open = context.open?.ports ?? openPorts;
  const ports = await open(worldOf(flags, context), context.signal);
  try {
    const { stderr, env } = context.process;
    if (ports.sandbox.strength !== "os") context.messages.show(`sandbox ${sandboxWords(ports.sandbox, colorsOf(stderr, env))}`);
    await work(ports);
  } finally {
    await ports.close();
  }
}

/**
 * Opens only the runs, for looking at them.
 *
 * @param damaged told of a damaged database in place of an error, when something can be made of what is left.
 */
export async function withRuns<T>(
  flags: Pick<WorldFlags, "models" | "db">,
  context: TroupeContext,
  work: (store: RunStore) => T | Promise<T>,
  damaged?: Damaged,
): Promise<T> {
  const open = context.open?.runs ?? openRuns;
  const store = await open(worldOf(flags, context), damaged);
  try {
    return await work(store);
  } finally {
    store.close();
  }
}

/** Says each thing that is wrong with a database once, on stderr, and lets the command end as if it had failed by the first. */
export function damageTeller(context: TroupeContext): Damaged {
  const { stderr, env } = context.process;
  const told = new Set<string>();
  return (error) => {
    if (told.has(error.message)) return;
    told.add(error.message);
    context.exit ??= exitCodeOfError(error);
    stderr.write(`${formatError(error, colorsOf(stderr, env).isColorSupported)}\n`);
  };
}
