import { importsModule } from "./code-shape.ts";
import { type FilesQuestion, isTestPath, stemOf } from "./files-question.ts";
import type { Claim } from "./pick-claims.ts";

/**
 * Mends paths that mean the entry but don't say it: a project folder before every path, or a single program file with a name of its own.
 * Nothing is changed when the entry is there or known already.
 */
export function settlePaths(claims: readonly Claim[], { entry, known }: FilesQuestion): readonly Claim[] {
  const hasEntry = claims.some((claim) => claim.path === entry) || known.some((file) => file.path === entry);
  return hasEntry ? claims : (withoutFolder(claims, entry) ?? withEntryName(claims, entry) ?? claims);
}

function withoutFolder(claims: readonly Claim[], entry: string): Claim[] | undefined {
  const folder = claims.find((claim) => claim.path.endsWith(`/${entry}`))?.path.slice(0, -entry.length);
  if (folder === undefined || !claims.every((claim) => claim.path.startsWith(folder))) return undefined;
  return claims.map((claim) => ({ ...claim, path: claim.path.slice(folder.length) }));
}

function withEntryName(claims: readonly Claim[], entry: string): Claim[] | undefined {
  const extension = /\.[^.]+$/.exec(entry)?.[0] ?? "";
  const sources = new Set(claims.map((claim) => claim.path).filter((path) => path.endsWith(extension) && !isTestPath(path)));
  const [only] = sources;
  // Other files that import it by its own name would no longer find it.
  if (sources.size !== 1 || only === undefined || claims.some((claim) => importsModule(stemOf(only), claim.lines))) return undefined;
  return claims.map((claim) => (claim.path === only ? { ...claim, path: entry } : claim));
}
