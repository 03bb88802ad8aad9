import type { ExperimentFile } from "@troupe/schema";
import type { Estimate } from "../statistics/fit-logistic.ts";
import { normalQuantile } from "../statistics/normal.ts";
import type { ScalingLine } from "./report-scaling.ts";

/** What a fit shows, and no more than that. */
export type ShownByFit =
  | { readonly kind: "nothing"; readonly why: string }
  /** A change with size: by how much, below 0 for a fall, and the size at which half of it is done. */
  | { readonly kind: "change"; readonly by: number; readonly half: number };

/** From here on 10 to 90 % of a change take less than three quarters of a doubling (4.4 / β): no size lies within it. */
const steepest = 6;

/** Says whether a curve changes with size by what its runs determine. */
export function whatFitShows({ fit, points }: ScalingLine, { statistics }: Pick<ExperimentFile, "statistics">): ShownByFit {
  if (fit.kind === "refused") return nothing(`not fitted: ${fit.sizes} of at least 6 sizes have runs`);
  const { alpha, beta, gamma, delta } = fit;
  if (!isKnown(gamma) || !isKnown(delta)) return nothing("the runs don't determine a curve");
  if (Math.abs(gamma.value) <= normalQuantile(1 - statistics.alpha / 2) * gamma.standardError)
    return nothing("neither rise nor fall is shown");
  if (beta.value > steepest) return nothing("the change lies between two neighbouring sizes: α and β are not determined");
  if (!isKnown(alpha) || !isKnown(beta)) return nothing("the runs don't determine a curve");
  const sizes = points.filter(({ quality }) => quality !== undefined).map(({ size }) => size);
  const half = 2 ** alpha.value;
  if (half < Math.min(...sizes) || half > Math.max(...sizes)) return nothing("half of the change lies outside the measured sizes");
  return { kind: "change", by: gamma.value, half };
}

/** Whether the runs determine a parameter at all: on a plateau of the fit errors are infinite or astronomic. */
export function isKnown({ value, standardError }: Estimate): boolean {
  return standardError < 10 * Math.max(1, Math.abs(value));
}

const nothing = (why: string): ShownByFit => ({ kind: "nothing", why });
