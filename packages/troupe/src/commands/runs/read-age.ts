const minute = 60_000;
const units = { m: minute, h: 60 * minute, d: 24 * 60 * minute, w: 7 * 24 * 60 * minute } as const;

/**
 * Parses an age, such as `30d`, into milliseconds; what it throws is shown to the person.
 *
 * @example
 * readAge("12h"); // 43_200_000
 */
export function readAge(word: string): number {
  const [, number, unit] = /^(\d{1,9}(?:\.\d{1,9})?)([mhdw])$/.exec(word.trim()) ?? [];
  if (number === undefined || unit === undefined) throw new SyntaxError("it must be a number and a unit: 90m (minutes), 12h, 30d or 8w");
  return Number(number) * units[unit as keyof typeof units];
}
