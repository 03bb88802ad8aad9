/** What one point pulls at each parameter: its gradient times what the curve leaves of it. */
export interface Score {
  readonly cluster: string | undefined;
  readonly score: readonly number[];
}

/**
 * Variances of parameters that were fitted by least squares, robust to whatever the points of a cluster have in common: the diagonal of
 * A⁻¹ (Σ uᵍuᵍᵀ) A⁻¹ with A = JᵀJ and uᵍ the sum of a cluster's scores (Liang and Zeger 1986), times G/(G − 1) · (n − 1)/(n − k) for G
 * clusters, n points and k parameters, as is usual (Cameron and Miller 2015, equation 11).
 *
 * @param inverse A⁻¹.
 * @returns undefined with fewer than two clusters, or when a point has none.
 */
export function clusterVariances(inverse: readonly (readonly number[])[], points: readonly Score[]): number[] | undefined {
  const sums = new Map<string, number[]>();
  for (const { cluster, score } of points) {
    if (cluster === undefined) return undefined;
    const before = sums.get(cluster) ?? score.map(() => 0);
    sums.set(
      cluster,
      before.map((sum, i) => sum + (score[i] ?? 0)),
    );
  }
  const [count, n, k] = [sums.size, points.length, inverse.length];
  if (count < 2 || n <= k) return undefined;
  const few = (count / (count - 1)) * ((n - 1) / (n - k));
  const pulls = [...sums.values()];
  // A⁻¹ is symmetric, so each diagonal entry is a sum of squares.
  return inverse.map(
    (row) => few * pulls.reduce((sum, pull) => sum + row.reduce((dot, value, i) => dot + value * (pull[i] ?? 0), 0) ** 2, 0),
  );
}
