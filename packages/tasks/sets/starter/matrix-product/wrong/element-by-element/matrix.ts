export function transpose(a: number[][]): number[][] {
  return (a[0] ?? []).map((_, column) => a.map((row) => row[column] ?? 0));
}

export function multiply(a: number[][], b: number[][]): number[][] {
  if (a[0]?.length !== b.length) throw new RangeError("the shapes do not fit");
  return a.map((row, y) => row.map((value, x) => value * (b[y]?.[x] ?? 0)));
}
