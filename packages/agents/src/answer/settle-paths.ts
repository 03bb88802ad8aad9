import { importsModule } from "./code-shape.ts";
import { type FilesQuestion, isTestPath, stemOf } from "./files-question.ts";
import type { Claim } from "./pick-claims.ts";

/**
 * Mends paths that mean the entry but don't say it: a project folder before every path, or a single program file with a name of its own.
 * Nothing is changed when the entry is there or known already.
 */
export function settlePaths(claims: readonly Claim[], question: FilesQuestion): readonly Claim[] {
  const has = (path: string) => claims.some((claim) => claim.path === path);
  if (claims.length === 0 || has(question.entry) || question.known.some((file) => file.path === question.entry)) return claims;
  const folder = claims[0]?.path.includes("/") === true ? claims[0].path.slice(0, claims[0].path.indexOf("/") + 1) : "";
  if (folder !== "" && claims.every((claim) => claim.path.startsWith(folder)) && has(`${folder}${question.entry}`)) {
    return claims.map((claim) => ({ ...claim, path: claim.path.slice(folder.length) }));
  }
  const extension = /\.[^.]+$/.exec(question.entry)?.[0] ?? "";
  const sources = new Set(claims.map((claim) => claim.path).filter((path) => path.endsWith(extension) && !isTestPath(path)));
  const [only] = sources;
  if (sources.size !== 1 || only === undefined) return claims;
  if (claims.some((claim) => importsModule(stemOf(only), claim.lines))) return claims;
  return claims.map((claim) => (claim.path === only ? { ...claim, path: question.entry } : claim));
}
