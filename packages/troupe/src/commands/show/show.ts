import { resolve } from "node:path";
import { writeProduct } from "@troupe/runtime";
import { type Artifact, type ArtifactRef, type Damaged, isTroupeError, type RunStore, TroupeError } from "@troupe/schema";
import type { TroupeContext } from "../../context.ts";
import { ActivationTexts } from "../../view/activation-texts.ts";
import { agentTable } from "../../view/agent-table.ts";
import { colorsOf } from "../../view/colors.ts";
import { type CallWords, describeOutcome } from "../../view/describe-outcome.ts";
import { diffArtifacts } from "../../view/diff-artifacts.ts";
import { artifactLines, formatTranscript } from "../../view/format-transcript.ts";
import { logLine } from "../../view/log-line.ts";
import { renderFrame } from "../../view/render-frame.ts";
import { jsonLine, plainText } from "../../view/terminal-text.ts";
import { readTranscripts, type Transcript } from "../../view/transcript.ts";
import { type WorldFlags, callWords } from "../flags.ts";
import { damageTeller, withRuns } from "../with-world.ts";
import { runObject, transcriptObject } from "./json-objects.ts";
import { artifactOf, productOf, readRun, type ShownRun } from "./shown-run.ts";

/** The flags of `troupe show`. */
export interface ShowFlags extends Pick<WorldFlags, "models" | "db" | "json"> {
  readonly transcript: boolean;
  readonly activation?: number;
  readonly log: boolean;
  readonly product?: string;
  readonly diff?: readonly [number, number];
}

/** Columns where there is no terminal. */
const pipeColumns = 200;

/** Shows a run, or the part of it that the flags name. */
export async function show(this: TroupeContext, flags: ShowFlags, name = "last"): Promise<void> {
  const parts = [flags.transcript, flags.log, flags.activation !== undefined, flags.product !== undefined, flags.diff !== undefined];
  if (parts.filter(Boolean).length > 1)
    throw new TroupeError("call_invalid", "Show one thing at a time: --transcript, --activation, --log, --product or --diff.");
  const damaged = damageTeller(this);
  const work = async (store: RunStore): Promise<void> => {
    const shown = readRun(store, name, damaged);
    if (flags.product !== undefined) await showProduct(this, shown, flags.product);
    else if (flags.log) showLog(this, shown, flags.json);
    else if (flags.diff !== undefined) showDiff(this, shown, flags.diff);
    else if (flags.transcript || flags.activation !== undefined) showTranscript(this, { ...shown, damaged }, flags);
    else if (flags.json) this.process.stdout.write(jsonLine(runObject(shown)));
    else showOverview(this, { ...shown, damaged }, callWords(flags));
  };
  await withRuns(flags, this, work, damaged);
}

/** A run of which not every artifact has to be there. */
interface LooselyShown extends ShownRun {
  readonly damaged: Damaged;
}

/** Looks an artifact up; one that can't be read is told of. */
function looseRead({ read, damaged }: LooselyShown): (ref: ArtifactRef) => Artifact | undefined {
  return (ref) => {
    try {
      return read(ref);
    } catch (thrown) {
      if (!isTroupeError(thrown, "store_damaged")) throw thrown;
      damaged(thrown);
      return undefined;
    }
  };
}

function showOverview({ process: { stdout, env } }: TroupeContext, shown: LooselyShown, words: CallWords): void {
  const { run, state, holder } = shown;
  const read = looseRead(shown);
  const colors = colorsOf(stdout, env);
  const columns = stdout.isTTY === true ? Math.max(20, (stdout.columns ?? 80) - 1) : pipeColumns;
  const texts = new ActivationTexts(read, state);
  const frame = renderFrame(state, { columns, rows: Number.POSITIVE_INFINITY, now: state.lastAt, texts, colors, live: false });
  const { what, next } = describeOutcome(state.outcome, run, words, holder);
  const table = agentTable(state, colors);
  stdout.write(`${[...frame, ...(table.length === 0 ? [] : ["", ...table]), "", `${what} ${next}`].join("\n")}\n`);
}

function showTranscript({ process: { stdout, env } }: TroupeContext, shown: LooselyShown, { activation, json }: ShowFlags): void {
  const { state, events } = shown;
  const read = looseRead(shown);
  if (activation !== undefined && state.rows[activation] === undefined) artifactOf(shown, activation);
  const transcripts = readTranscripts(events, state, read, activation);
  if (json) {
    for (const transcript of transcripts) stdout.write(jsonLine(transcriptObject(transcript)));
    return;
  }
  const colors = colorsOf(stdout, env);
  const texts = new ActivationTexts(read, state);
  const format = (transcript: Transcript) => formatTranscript(transcript, { colors, texts, whole: activation !== undefined });
  for (const transcript of transcripts) stdout.write(`${format(transcript).join("\n")}\n\n`);
}

function showLog({ process: { stdout } }: TroupeContext, { events }: ShownRun, json: boolean): void {
  const startedAt = events[0]?.at ?? 0;
  for (const event of events) stdout.write(json ? jsonLine(event) : `${logLine(event, startedAt)}\n`);
}

function showDiff({ process: { stdout, stderr, env } }: TroupeContext, shown: ShownRun, [a, b]: readonly [number, number]): void {
  const lines = diffArtifacts(artifactOf(shown, a), artifactOf(shown, b), colorsOf(stdout, env));
  if (lines.length === 0) stderr.write(`The artifacts of activations ${a} and ${b} are the same.\n`);
  else stdout.write(`${lines.join("\n")}\n`);
}

async function showProduct({ process: { stdout, stderr, env }, cwd }: TroupeContext, shown: ShownRun, folder: string): Promise<void> {
  const product = productOf(shown);
  if (folder === "") {
    stdout.write(`${artifactLines(product, colorsOf(stdout, env)).join("\n")}\n`);
    return;
  }
  const paths = await writeProduct(product, resolve(cwd, folder));
  stderr.write(`Written: ${paths.map(plainText).join(", ")}\n`);
  stdout.write(`${folder}\n`);
}
