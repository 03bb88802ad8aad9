import { type ArtifactSize, sizeOf } from "./changed-lines.ts";
import { depthsOf } from "./activation-graph.ts";
import type { RunParts } from "./run-parts.ts";
import { shareOf } from "./share-of.ts";

/** The artifacts of one depth. */
export interface DepthSize extends ArtifactSize {
  /** Artifacts made one from another before these: 0 for the first drafts. */
  readonly depth: number;
  readonly artifacts: number;
}

/** How artifacts grew, from the first drafts to the product. */
export interface Growth {
  /** Mean sizes, by depth. */
  readonly byDepth: readonly DepthSize[];
  /** The product, or the best artifact so far; undefined when there is none. */
  readonly product: ArtifactSize | undefined;
  /** The product's bytes over the mean of the first drafts; undefined when one of both is missing or empty. */
  readonly bytesRatio: number | undefined;
  readonly linesRatio: number | undefined;
}

/** Measures what actors and aggregators made; verdicts of critics are no artifacts of this kind, and files given with the task don't count. */
export function measureGrowth(parts: RunParts): Growth {
  const { rows, logged, isCritic, read, state } = parts;
  const given = new Map((state.started?.task.files ?? []).map(({ path, content }) => [path, content]));
  const isGiven = (path: string, content: string): boolean => given.get(path) === content;
  const made = rows.map(({ activation, output, state: at }) =>
    at === "done" && activation.kind === "act" && !isCritic(activation) ? output : undefined,
  );
  const depths = depthsOf(logged, ({ activation }) => (made[activation.id] === undefined ? 0 : 1));
  const sizes = new Map<number, ArtifactSize[]>();
  for (const [id, output] of made.entries()) {
    if (output === undefined) continue;
    const depth = depths[id] ?? 0;
    sizes.set(depth, [...(sizes.get(depth) ?? []), sizeOf(read(output), isGiven)]);
  }
  const byDepth = [...sizes].sort(([a], [b]) => a - b).map(([depth, of]) => ({ depth, artifacts: of.length, ...meanOf(of) }));
  const ref = state.outcome?.artifact;
  const product = ref === undefined ? undefined : sizeOf(read(ref), isGiven);
  const ratio = (of: keyof ArtifactSize): number | undefined =>
    product === undefined ? undefined : shareOf(product[of], byDepth[0]?.[of] ?? 0);
  return { byDepth, product, bytesRatio: ratio("bytes"), linesRatio: ratio("lines") };
}

function meanOf(sizes: readonly ArtifactSize[]): ArtifactSize {
  const mean = (of: keyof ArtifactSize): number => sizes.reduce((sum, size) => sum + size[of], 0) / sizes.length;
  return { bytes: mean("bytes"), lines: mean("lines") };
}
