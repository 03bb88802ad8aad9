/** A share, or nothing when there is nothing to have a share of. */
export function shareOf(part: number, whole: number): number | undefined {
  return whole === 0 ? undefined : part / whole;
}
