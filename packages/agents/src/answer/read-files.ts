import { type FileEntry, isWorkspacePath, sortFiles } from "@troupe/schema";
import { pathOfBlock } from "./block-path.ts";
import {
  definitions,
  importsModule,
  isTagOf,
  looksLikeCode,
  looksLikeDiff,
  looksLikeOnlyTests,
  looksLikeShell,
  looksLikeTests,
  tagOf,
} from "./code-shape.ts";
import { type FencedBlock, readFencedBlocks } from "./fenced-blocks.ts";
import { type FilesQuestion, stemOf, testPathOf } from "./files-question.ts";
import { type Claim, pickClaims } from "./pick-claims.ts";
import { readWholeAnswer } from "./read-whole-answer.ts";
import { settlePaths } from "./settle-paths.ts";

/** What an answer holds. */
export interface FilesReading {
  /** Whole files, sorted by path. */
  readonly files: readonly FileEntry[];
  /** Files that end too early or leave code out: better than nothing, worse than any whole version. */
  readonly partial: readonly FileEntry[];
  /** What could not be used and why, as sentences for the model and the log. */
  readonly notes: readonly string[];
}

/**
 * Reads files out of a model's answer. Tolerates what small models do: missing or indented fences, wrong tags, prose around,
 * usage examples and shell commands after the program, the same file twice. Never throws, and never gives a path outside the workspace.
 */
export function readFiles(text: string, question: FilesQuestion): FilesReading {
  const notes: string[] = [];
  const claims = readFencedBlocks(text).flatMap((block) => claimOf(block, question, notes) ?? []);
  if (claims.length === 0 && notes.length === 0) {
    const lines = readWholeAnswer(text, question.language);
    if (lines !== undefined) claims.push({ path: unnamedPath(lines, question) ?? question.entry, lines, ended: !question.cut });
  }
  const picked = pickClaims(settlePaths(claims, question), question.known);
  for (const { path, problem } of picked) if (problem !== undefined) notes.push(`${path} ${problem}`);
  const entries = (whole: boolean) =>
    sortFiles(
      picked
        .filter((one) => (one.problem === undefined) === whole)
        .map((one) => ({ path: one.path, encoding: "utf8", content: toContent(one.lines) })),
    );
  return { files: entries(true), partial: entries(false), notes };
}

function claimOf(block: FencedBlock, question: FilesQuestion, notes: string[]): Claim | undefined {
  if (block.lines.every((line) => line.trim() === "") || tagOf(block.info) === "tool") return undefined;
  const { path: named, lines } = pathOfBlock(block) ?? { path: undefined, lines: block.lines };
  const refused = refusalOf(block, named);
  if (refused !== undefined) {
    notes.push(refused);
    return undefined;
  }
  if (looksLikeShell(block.info, lines) && !isTextPath(named)) return undefined;
  const path = hasNoOwnName(named, lines, question) ? unnamedPath(lines, question, block.info) : named;
  return path === undefined ? undefined : { path, lines, ended: block.closed || !question.cut };
}

function refusalOf(block: FencedBlock, path: string | undefined): string | undefined {
  if (looksLikeDiff(block.info, block.lines)) return "A list of changes (a diff) was left aside; whole files are needed.";
  if (path === undefined || isWorkspacePath(path)) return undefined;
  return `${JSON.stringify(path.slice(0, 80))} was refused: a path must be relative and stay inside the workspace.`;
}

/** Whether a block has no name, or the entry's although it only tests the program or shows its use. */
function hasNoOwnName(path: string | undefined, lines: readonly string[], { entry }: FilesQuestion): boolean {
  const isAboutEntry = path === entry && importsModule(stemOf(entry), lines);
  return path === undefined || (isAboutEntry && (looksLikeOnlyTests(lines) || definitions(lines).size === 0));
}

/** Files in which commands are no mistake. */
function isTextPath(path: string | undefined): boolean {
  return path !== undefined && /\.(sh|bat|md|txt|log)$/.test(path);
}

/** Where a block without a path belongs: the entry, its tests, or nowhere. */
function unnamedPath(lines: readonly string[], question: FilesQuestion, info = ""): string | undefined {
  if (!isTagOf(question.language, info) && !looksLikeCode(question.language, lines)) return undefined;
  // A module does not import itself: such a block tests the program, or only shows how to use it.
  if (importsModule(stemOf(question.entry), lines)) return looksLikeTests(lines) ? testPathOf(question) : undefined;
  const isKnown = question.known.some((file) => file.path === question.entry);
  return isKnown && looksLikeOnlyTests(lines) ? testPathOf(question) : question.entry;
}

function toContent(lines: readonly string[]): string {
  return `${lines.join("\n").replace(/^\n+/, "").trimEnd()}\n`;
}
