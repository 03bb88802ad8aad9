import type { FileEntry } from "@troupe/schema";
import { definitions, looksLikeOnlyTests } from "./code-shape.ts";
import { findElision } from "./elision.ts";
import { toLines } from "./fenced-blocks.ts";

/** A block that wants to be a file. */
export interface Claim {
  readonly path: string;
  readonly lines: readonly string[];
  /** Whether the block has its end. */
  readonly ended: boolean;
}

/** The claim that becomes the file. */
export interface PickedClaim extends Claim {
  /** Why it is not a whole file. */
  readonly problem: string | undefined;
}

/**
 * Picks one claim for each path: the last whole one that is not just a piece of the longest.
 * Small models repeat a function after the program, to show its use; such a piece must not win.
 */
export function pickClaims(claims: readonly Claim[], known: readonly FileEntry[]): PickedClaim[] {
  const byPath = new Map<string, PickedClaim[]>();
  for (const claim of claims) {
    const before = known.find((file) => file.path === claim.path);
    byPath.set(claim.path, [...(byPath.get(claim.path) ?? []), { ...claim, problem: problemOf(claim, before) }]);
  }
  return [...byPath.values()].flatMap((all) => {
    const whole = all.filter((claim) => claim.problem === undefined);
    return pickLast(whole.length > 0 ? whole : all) ?? [];
  });
}

function pickLast(claims: readonly PickedClaim[]): PickedClaim | undefined {
  const longest = claims.reduce<PickedClaim | undefined>(
    (best, one) => (sizeOf(one) > (best === undefined ? 0 : sizeOf(best)) ? one : best),
    undefined,
  );
  if (longest === undefined) return claims.at(-1);
  const needed = [...definitions(longest.lines)];
  return claims.findLast((claim) => {
    const has = definitions(claim.lines);
    const coversAll = needed.length > 0 && needed.every((name) => has.has(name));
    const isLongEnough = sizeOf(claim) * 2 >= sizeOf(longest) && (needed.length === 0 || has.size > 0);
    const losesProgram = looksLikeOnlyTests(claim.lines) && !looksLikeOnlyTests(longest.lines);
    return coversAll || (isLongEnough && !losesProgram);
  });
}

function problemOf(claim: Claim, before: FileEntry | undefined): string | undefined {
  if (!claim.ended) return "is cut off before its end.";
  const line = findElision(claim.lines);
  if (line !== undefined) return `leaves code out (${JSON.stringify(line.slice(0, 80))}); the whole file is needed.`;
  const lost = before === undefined ? [] : lostDefinitions(claim.lines, toLines(before.content));
  return lost.length === 0 ? undefined : `is only a piece of the file (${lost.slice(0, 5).join(", ")} missing); the whole file is needed.`;
}

/** Written lines from which on a file is too long to be replaced by a much shorter one unasked. */
const longFile = 10;

/** What a much shorter version no longer defines, when that is most of what the file had. */
function lostDefinitions(lines: readonly string[], before: readonly string[]): string[] {
  if (countWritten(before) < longFile) return [];
  const had = [...definitions(before)];
  const has = definitions(lines);
  const lost = had.filter((name) => !has.has(name));
  const isPiece = lost.length * 2 >= had.length && countWritten(lines) * 2 < countWritten(before);
  return isPiece ? lost : [];
}

function sizeOf(claim: Claim): number {
  return countWritten(claim.lines);
}

function countWritten(lines: readonly string[]): number {
  return lines.filter((line) => line.trim() !== "").length;
}
