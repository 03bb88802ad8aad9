import type { ReplayedActivation, ReplayedPart, ReplayedStep } from "@troupe/engine";
import { headerOf, replayTroupe } from "@troupe/runtime";
import type { TroupeContext } from "../../context.ts";
import { exitCodes } from "../../exit-code.ts";
import { type Colors, colorsOf } from "../../view/colors.ts";
import { jsonLine, oneLine } from "../../view/terminal-text.ts";
import { plural } from "../../view/words.ts";
import type { WorldFlags } from "../flags.ts";
import { withPorts } from "../with-world.ts";

/** What came of the parts so far. */
interface Tally {
  readonly artifacts: number;
  readonly sameArtifacts: number;
  readonly steps: number;
  readonly sameSteps: number;
  readonly answers: number;
  readonly tools: number;
}

const nothing: Tally = { artifacts: 0, sameArtifacts: 0, steps: 0, sameSteps: 0, answers: 0, tools: 0 };

/** Does a recorded run again, and ends with 1 when anything came out differently. */
export async function replay(this: TroupeContext, flags: WorldFlags, name = "last"): Promise<void> {
  const { stdout, stderr, env } = this.process;
  await withPorts(flags, this, async (ports) => {
    const run = ports.store.resolve(name);
    const { topology } = headerOf(run, ports.store);
    let tally = nothing;
    for await (const part of replayTroupe({ run, ports }, { signal: this.signal })) {
      tally = add(tally, part);
      if (flags.json) stdout.write(jsonLine(partObject(part)));
      else if (part.kind === "activation") stderr.write(`${activationLine(part, colorsOf(stderr, env))}\n`);
      else if (!part.same) stderr.write(`${stepLine(part, colorsOf(stderr, env))}\n`);
    }
    const isSame = tally.sameArtifacts === tally.artifacts && tally.sameSteps === tally.steps;
    if (!isSame) this.exit = exitCodes.failed;
    if (flags.json) stdout.write(jsonLine({ kind: "replay", run, topology, same: isSame, ...tally, sandbox: ports.sandbox.name }));
    else stdout.write(`${verdict(tally, ports.sandbox.name)}\n`);
  });
}

function add(tally: Tally, part: ReplayedPart): Tally {
  const same = Number(part.same);
  if (part.kind === "step") return { ...tally, steps: tally.steps + 1, sameSteps: tally.sameSteps + same };
  return {
    ...tally,
    artifacts: tally.artifacts + 1,
    sameArtifacts: tally.sameArtifacts + same,
    answers: tally.answers + part.answers,
    tools: tally.tools + part.tools,
  };
}

function activationLine({ activation, same, logged, replayed, reason }: ReplayedActivation, colors: Colors): string {
  const what = `#${activation.id} ${oneLine(activation.label)}${activation.agent === undefined ? "" : ` (${oneLine(activation.agent)})`}`;
  if (same) return `${colors.green("✓")} ${what}  ${colors.dim(short(logged.hash))}`;
  const hashes = replayed === undefined || replayed.hash === logged.hash ? "" : ` (${short(logged.hash)} → ${short(replayed.hash)})`;
  return `${colors.red("✗")} ${what}: ${oneLine(reason ?? "")}${hashes}`;
}

function stepLine({ seq, reason }: ReplayedStep, colors: Colors): string {
  return `${colors.red("✗")} the director, at event ${seq}: ${oneLine(reason ?? "")}`;
}

function verdict({ artifacts, sameArtifacts, steps, sameSteps, answers, tools }: Tally, sandbox: string): string {
  const used = tools === 0 ? "" : ` ${plural(tools, "tool use")} ran again in the sandbox ${oneLine(sandbox)}.`;
  return [
    `${sameArtifacts} of ${plural(artifacts, "artifact")} came out byte-identical, ${sameSteps} of ${plural(steps, "answer")} of the director the same.`,
    `${plural(answers, "answer")} came from the log, no model was asked.${used}`,
  ].join("\n");
}

function partObject(part: ReplayedPart) {
  if (part.kind === "step") return { kind: "step", seq: part.seq, same: part.same, reason: part.reason ?? null };
  const { activation, same, logged, replayed, reason, answers, tools } = part;
  const { id, label, agent } = activation;
  return {
    kind: "activation",
    id,
    label,
    agent: agent ?? null,
    same,
    logged,
    replayed: replayed ?? null,
    reason: reason ?? null,
    answers,
    tools,
  };
}

function short(hash: string): string {
  return hash.slice(0, 12);
}
