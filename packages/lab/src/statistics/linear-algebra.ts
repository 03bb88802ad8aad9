/**
 * Solves a small symmetric system of equations by Gauss's elimination with pivots.
 *
 * @returns undefined when the equations don't determine the answer.
 */
export function solveSymmetric(matrix: readonly (readonly number[])[], right: readonly number[]): number[] | undefined {
  const solved = eliminate(matrix.map((row, i) => [...row, right[i] ?? 0]));
  return solved?.map((row) => row[matrix.length] ?? 0);
}

/**
 * The inverse of a small matrix.
 *
 * @returns undefined when it has none.
 */
export function invertMatrix(matrix: readonly (readonly number[])[]): number[][] | undefined {
  const size = matrix.length;
  const solved = eliminate(matrix.map((row, i) => [...row, ...Array.from({ length: size }, (_, j) => (i === j ? 1 : 0))]));
  return solved?.map((row) => row.slice(size));
}

/** Turns the left part of the rows into the unit matrix. A pivot that is lost in rounding is none. */
function eliminate(rows: number[][]): number[][] | undefined {
  const scale = rows.map((row, i) => Math.abs(row[i] ?? 0));
  for (const [at, size] of scale.entries()) {
    const best = pivotRow(rows, at);
    const pivot = rows[best]?.[at] ?? 0;
    if (!(Math.abs(pivot) > 1e-13 * size) || !Number.isFinite(pivot)) return undefined;
    [rows[at], rows[best]] = [rows[best] ?? [], rows[at] ?? []];
    clear(rows, at, pivot);
  }
  return rows;
}

/** Makes the column of a pivot a column of the unit matrix. */
function clear(rows: number[][], at: number, pivot: number): void {
  const own = (rows[at] ?? []).map((value) => value / pivot);
  rows[at] = own;
  for (const [i, row] of rows.entries()) {
    const factor = row[at] ?? 0;
    if (i !== at && factor !== 0) rows[i] = row.map((value, j) => value - factor * (own[j] ?? 0));
  }
}

function pivotRow(rows: readonly (readonly number[])[], at: number): number {
  let best = at;
  for (let i = at + 1; i < rows.length; i++) if (Math.abs(rows[i]?.[at] ?? 0) > Math.abs(rows[best]?.[at] ?? 0)) best = i;
  return best;
}
