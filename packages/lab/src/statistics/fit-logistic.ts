import { TroupeError } from "@troupe/schema";
import { clusterVariances } from "./cluster-variances.ts";
import { invertMatrix, solveSymmetric } from "./linear-algebra.ts";

/** The quality that was measured at one size. */
export interface SizedQuality {
  /** Agents, or nodes: above 0. */
  readonly size: number;
  readonly quality: number;
  /** Whose qualities depend on each other: of runs, the task. Default: none do. */
  readonly cluster?: string;
}

/** A fitted parameter. */
export interface Estimate {
  readonly value: number;
  /** Infinite when the data don't determine the parameter. */
  readonly standardError: number;
}

/** A logistic curve through qualities: quality = gamma / (1 + exp(−beta (log2 size − alpha))) + delta, with beta ≥ 0. */
export interface LogisticFit {
  /** log2 of the size at which half of the rise is done. */
  readonly alpha: Estimate;
  /** How steep the rise is. */
  readonly beta: Estimate;
  /** How high the rise is; below 0: a fall. */
  readonly gamma: Estimate;
  /** What quality starts from. */
  readonly delta: Estimate;
  /** Root of the mean square of what the curve leaves, by the degrees of freedom. */
  readonly residualError: number;
  /** The curve. */
  qualityAt(size: number): number;
}

/** Four parameters need more sizes than four before a curve says anything. */
const leastSizes = 6;
type Four = readonly [alpha: number, beta: number, gamma: number, delta: number];
interface Point {
  readonly x: number;
  readonly y: number;
  readonly cluster: string | undefined;
}

/**
 * Fits MacNet's scaling law (arXiv 2406.07155, collaborative scaling law: γ / (1 + e^(−β (log|V| − α))) + δ) by least squares:
 * a grid over α and β, for which γ and δ are a linear problem, then Levenberg and Marquardt's steps (Marquardt 1963) on all four.
 * Standard errors are the roots of the diagonal of s² (JᵀJ)⁻¹ with s² = RSS / (n − 4); with two clusters or more they are robust to what
 * the qualities of a cluster have in common (Liang and Zeger 1986), and too small when clusters are few.
 *
 * The logarithm is to the base 2, so β is per doubling.
 *
 * @throws TroupeError `call_invalid` below six different sizes, or for a size or quality that is no number.
 * @example
 * fitLogistic([1, 2, 4, 8, 16, 32].map((size) => ({ size, quality: meanQuality(size) }))).alpha; // { value: 2.9, standardError: 0.2 }
 */
export function fitLogistic(measured: readonly SizedQuality[]): LogisticFit {
  const points = checkedPoints(measured);
  const four = upright(refine(bestOfGrid(points), points));
  const freedom = points.length - 4;
  const variance = squares(four, points) / freedom;
  const errors = errorsOf(four, points, variance);
  const estimate = (at: 0 | 1 | 2 | 3): Estimate => ({ value: four[at], standardError: errors[at] ?? Number.POSITIVE_INFINITY });
  return {
    alpha: estimate(0),
    beta: estimate(1),
    gamma: estimate(2),
    delta: estimate(3),
    residualError: Math.sqrt(variance),
    qualityAt: (size) => curve(four, Math.log2(size)),
  };
}

function checkedPoints(measured: readonly SizedQuality[]): Point[] {
  for (const { size, quality } of measured) {
    if (!(size > 0 && Number.isFinite(size) && Number.isFinite(quality)))
      throw new TroupeError("call_invalid", `A scaling fit needs sizes above 0 and finite qualities, not ${size} and ${quality}.`);
  }
  const sizes = new Set(measured.map(({ size }) => size)).size;
  if (sizes < leastSizes)
    throw new TroupeError(
      "call_invalid",
      `A curve with four parameters is not fitted to ${sizes} ${sizes === 1 ? "size" : "sizes"}: it would pass near any points. Measure at least ${leastSizes} sizes.`,
    );
  return measured.map(({ size, quality, cluster }) => ({ x: Math.log2(size), y: quality, cluster }));
}

const sigmoid = (t: number): number => 1 / (1 + Math.exp(-t));
const curve = ([alpha, beta, gamma, delta]: Four, x: number): number => gamma * sigmoid(beta * (x - alpha)) + delta;
const squares = (four: Four, points: readonly Point[]): number => points.reduce((sum, { x, y }) => sum + (y - curve(four, x)) ** 2, 0);

function bestOfGrid(points: readonly Point[]): Four {
  const xs = points.map(({ x }) => x);
  const [low, high] = [Math.min(...xs), Math.max(...xs)];
  let best: { four: Four; error: number } | undefined;
  for (let i = 0; i <= 20; i++) {
    const alpha = low + ((high - low) * i) / 20;
    for (const beta of [0.25, 0.5, 0.75, 1, 1.5, 2, 3, 4, 6, 10]) {
      const four = withLine(alpha, beta, points);
      const error = squares(four, points);
      if (best === undefined || error < best.error) best = { four, error };
    }
  }
  return best?.four ?? [0, 1, 0, 0];
}

/** The best gamma and delta for an alpha and a beta: a straight line over the sigmoid. */
function withLine(alpha: number, beta: number, points: readonly Point[]): Four {
  const n = points.length;
  const s = points.map(({ x }) => sigmoid(beta * (x - alpha)));
  const meanS = s.reduce((sum, value) => sum + value, 0) / n;
  const meanY = points.reduce((sum, { y }) => sum + y, 0) / n;
  let spread = 0;
  let shared = 0;
  for (const [i, { y }] of points.entries()) {
    const off = (s[i] ?? 0) - meanS;
    spread += off * off;
    shared += off * (y - meanY);
  }
  const gamma = spread === 0 ? 0 : shared / spread;
  return [alpha, beta, gamma, meanY - gamma * meanS];
}

function refine(start: Four, points: readonly Point[]): Four {
  let four = start;
  let error = squares(four, points);
  let damping = 1e-3;
  for (let step = 0; step < 500 && damping < 1e12; step++) {
    const { normal, slope } = normalEquations(four, points);
    for (const [i, row] of normal.entries()) row[i] = (row[i] ?? 0) * (1 + damping) + 1e-15;
    const change = solveSymmetric(normal, slope);
    const next = change && (four.map((value, i) => value + (change[i] ?? 0)) as unknown as Four);
    const nextError = next === undefined ? Number.NaN : squares(next, points);
    if (next !== undefined && nextError <= error) {
      const settled = error - nextError <= 1e-15 * error;
      [four, error, damping] = [next, nextError, damping / 10];
      if (settled) break;
    } else damping *= 10;
  }
  return four;
}

/** How the curve changes with each parameter. */
function gradient([alpha, beta, gamma]: Four, x: number): number[] {
  const s = sigmoid(beta * (x - alpha));
  const steep = gamma * s * (1 - s);
  return [-beta * steep, (x - alpha) * steep, s, 1];
}

/** JᵀJ and Jᵀr at a curve. */
function normalEquations(four: Four, points: readonly Point[]): { normal: number[][]; slope: number[] } {
  const normal = [0, 1, 2, 3].map(() => [0, 0, 0, 0]);
  const slope = [0, 0, 0, 0];
  for (const { x, y } of points) {
    const row = gradient(four, x);
    const left = y - curve(four, x);
    for (let i = 0; i < 4; i++) {
      slope[i] = (slope[i] ?? 0) + (row[i] ?? 0) * left;
      const target = normal[i];
      if (target !== undefined) for (let j = 0; j < 4; j++) target[j] = (target[j] ?? 0) + (row[i] ?? 0) * (row[j] ?? 0);
    }
  }
  return { normal, slope };
}

/** The same curve with beta ≥ 0: a sigmoid turned round is one minus itself. */
function upright([alpha, beta, gamma, delta]: Four): Four {
  return beta < 0 ? [alpha, -beta, -gamma, delta + gamma] : [alpha, beta, gamma, delta];
}

function errorsOf(four: Four, points: readonly Point[], variance: number): number[] {
  const inverse = invertMatrix(normalEquations(four, points).normal);
  if (inverse === undefined) return [];
  const scores = points.map(({ x, y, cluster }) => ({
    cluster,
    score: gradient(four, x).map((slope) => slope * (y - curve(four, x))),
  }));
  const variances = clusterVariances(inverse, scores) ?? inverse.map((row, i) => variance * (row[i] ?? Number.NaN));
  return variances.map((own) => (own >= 0 ? Math.sqrt(own) : Number.POSITIVE_INFINITY));
}
