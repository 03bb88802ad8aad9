import { openPorts, openRuns, type Ports } from "@troupe/runtime";
import type { RunStore } from "@troupe/schema";
import type { TroupeContext } from "../context.ts";
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

/** Opens only the runs, for looking at them. */
export async function withRuns<T>(
  flags: Pick<WorldFlags, "models" | "db">,
  context: TroupeContext,
  work: (store: RunStore) => T | Promise<T>,
): Promise<T> {
  const open = context.open?.runs ?? openRuns;
  const store = await open(worldOf(flags, context));
  try {
    return await work(store);
  } finally {
    store.close();
  }
}
