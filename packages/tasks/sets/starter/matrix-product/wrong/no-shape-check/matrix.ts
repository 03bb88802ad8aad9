export function transpose(a: number[][]): number[][] {
  return (a[0] ?? []).map((_, column) => a.map((row) => row[column] ?? 0));
}

export function multiply(a: number[][], b: number[][]): number[][] {
  const columns = transpose(b);
  return a.map((row) => columns.map((column) => row.reduce((sum, value, index) => sum + value * (column[index] ?? 0), 0)));
}
