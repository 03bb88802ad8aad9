import { measureRun } from "@troupe/lab";
import { type Artifact, TroupeError } from "@troupe/schema";
import { measureSoftware, type SoftwareMetrics } from "@troupe/tasks";
import type { Ports } from "@troupe/runtime";
import type { TroupeContext } from "../../context.ts";
import { colorsOf } from "../../view/colors.ts";
import { formatMetrics } from "../../view/format-metrics.ts";
import { jsonLine } from "../../view/terminal-text.ts";
import type { WorldFlags } from "../flags.ts";
import { productOf, readRun, type ShownRun } from "../show/shown-run.ts";
import { withPorts, withRuns } from "../with-world.ts";

/** The flags of `troupe metrics`. */
export interface MetricsFlags extends WorldFlags {
  readonly logOnly: boolean;
}

/** Measures a run from its log, and its product in the sandbox. */
export async function metrics(this: TroupeContext, flags: MetricsFlags, name = "last"): Promise<void> {
  if (flags.logOnly) await withRuns(flags, this, (store) => print(this, flags, readRun(store, name), undefined));
  else await withPorts(flags, this, (ports) => measureBoth(this, flags, ports, name));
}

async function measureBoth(context: TroupeContext, flags: MetricsFlags, ports: Ports, name: string): Promise<void> {
  const shown = readRun(ports.store, name);
  const { started } = shown.state;
  if (started === undefined) throw new TroupeError("store_damaged", `The log of run ${shown.run} does not begin with run.started.`);
  const { sandbox, models } = ports;
  print(context, flags, shown, await measureSoftware(started.task, madeBy(shown), { sandbox, models, signal: context.signal }));
}

function print(
  { process: { stdout, env } }: TroupeContext,
  { json }: MetricsFlags,
  shown: ShownRun,
  software: SoftwareMetrics | undefined,
): void {
  const run = measureRun(shown);
  if (json) stdout.write(jsonLine({ kind: "metrics", ...run, ...(software === undefined ? {} : { software }) }));
  else stdout.write(`${formatMetrics(run, software, colorsOf(stdout, env)).join("\n")}\n`);
}

/** The product, or the best artifact so far; undefined when the run made none. */
function madeBy(shown: ShownRun): Artifact | undefined {
  const hasNone =
    shown.state.outcome?.artifact === undefined && shown.state.rows.every(({ output }) => output === undefined || output.kind === "json");
  return hasNone ? undefined : productOf(shown);
}
