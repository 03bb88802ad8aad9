import type { Check } from "@troupe/agents";
import type { RunState } from "@troupe/engine";
import type { TroupeResult } from "@troupe/runtime";
import type { Artifact, PublicTask, Sandbox } from "@troupe/schema";
import { quoted } from "../quoted.ts";
import { agentTable } from "./agent-table.ts";
import type { Colors } from "./colors.ts";
import { type CallWords, describeOutcome } from "./describe-outcome.ts";
import { formatTable } from "./format-table.ts";
import { sandboxWords } from "./sandbox-words.ts";
import { oneLine, plainText } from "./terminal-text.ts";
import { callToTry, type Trial } from "./try-product.ts";
import { plural, size } from "./words.ts";

/** A product in its folder. */
export interface WrittenProduct {
  readonly artifact: Artifact;
  /** As the person wrote it. */
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
}

/** What a report is about. */
export interface Reported {
  readonly result: Pick<TroupeResult, "run" | "outcome">;
  readonly state: Pick<RunState, "usage" | "usageByAgent">;
  readonly task: PublicTask;
  readonly product: WrittenProduct | undefined;
  readonly trial: Trial;
  readonly sandbox: Pick<Sandbox, "name" | "strength">;
  readonly words: CallWords;
}

/** Files that the report lists. */
const listedFiles = 20;
/** Lines of a failed program's output that the report shows. */
const shownLines = 8;

/** The longest answer that the report shows, in characters and in lines. */
const longestAnswer = 1500;
const answerLines = 20;

/** What came of a run, as lines: the product and whether it works, what it cost, how the run ended and what to do next. */
export function runReport(reported: Reported, colors: Colors): string[] {
  const { result, state, product, sandbox, words } = reported;
  const { what, next } = describeOutcome(result.outcome, result.run, words);
  const paint = result.outcome.kind === "completed" ? colors.green : result.outcome.kind === "failed" ? colors.red : colors.yellow;
  const head = (word: string) => colors.bold(word.padEnd(9));
  const made = product === undefined ? [`${head("Product")}none`] : productLines(reported, product, colors);
  const table = agentTable(state, colors);
  return [
    "",
    ...made,
    `${head("Sandbox")}${sandboxWords(sandbox, colors)}`,
    ...(table.length === 0 ? [] : ["", ...table]),
    "",
    `${paint(what)} ${next}`,
  ];
}

function productLines({ task, trial, result }: Reported, { artifact, folder, files }: WrittenProduct, colors: Colors): string[] {
  const head = (word: string) => colors.bold(word.padEnd(9));
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  const shown = files.slice(0, listedFiles).map((file) => [`  ${oneLine(file.path)}`, size(file.bytes)]);
  const rest = files.length > listedFiles ? [`  and ${plural(files.length - listedFiles, "more file")}`] : [];
  const best = result.outcome.kind === "completed" ? "" : colors.yellow("  the best so far, not finished");
  const call = callToTry(artifact, task, folder);
  return [
    `${head("Product")}${plainText(folder)}  ${colors.dim(`${plural(files.length, "file")}, ${size(bytes)}`)}${best}`,
    ...formatTable(shown, ["left", "right"]).map((line) => colors.dim(line)),
    ...rest,
    ...valueLines(artifact, head),
    ...checkLines("Runs", trial.check?.program, head, colors),
    ...checkLines("Tests", trial.check?.tests, head, colors),
    ...gradeLines(trial, head, colors),
    ...(call === undefined ? [] : [`${head("Try it")}${call}${colors.dim(`  or, in the sandbox: troupe try ${quoted(folder)}`)}`]),
  ];
}

/** A short answer is shown at once; a long one, and a program, are in their folder. */
function valueLines(artifact: Artifact, head: (word: string) => string): string[] {
  if (artifact.kind === "files") return [];
  const text =
    artifact.kind === "choice" ? artifact.choice : artifact.kind === "text" ? artifact.text : JSON.stringify(artifact.value, null, 2);
  const [first = "", ...rest] = plainText(text).trim().split("\n");
  if (text.length > longestAnswer || rest.length >= answerLines) return [];
  return [`${head("Answer")}${first}`, ...rest.map((line) => `         ${line}`.trimEnd())];
}

function checkLines(word: string, check: Check | undefined, head: (word: string) => string, colors: Colors): string[] {
  if (check === undefined) return [];
  const [call = "", ...output] = plainText(check.text).replace(/^\$ /, "").trimEnd().split("\n");
  const end = output.at(-1) ?? "";
  if (check.ok)
    return [`${head(word)}${colors.green("✓")} ${oneLine(call)}  ${colors.dim(word === "Tests" ? (output.at(-2) ?? end) : end)}`];
  const said = output.slice(-shownLines).map((line) => `           ${line}`);
  return [`${head(word)}${colors.red(`✗ ${oneLine(call)}`)}`, ...said];
}

function gradeLines({ grade }: Trial, head: (word: string) => string, colors: Colors): string[] {
  if (grade === undefined) return [];
  return [`${head("Graded")}${grade.passed ? colors.green("✓") : colors.red("✗")} ${oneLine(grade.reason)}`];
}
