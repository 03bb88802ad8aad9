import { randomInt } from "node:crypto";

const letters = "abcdefghjkmnpqrstuvwxyz23456789";

/** A new run's name: the time in UTC, so that names sort by age, and four letters against two at once. */
export function newRunName(now: number): string {
  const time = new Date(now).toISOString().replace(/[-:]/g, "").replace("T", "-").slice(0, 15);
  const tail = Array.from({ length: 4 }, () => letters[randomInt(letters.length)]).join("");
  return `${time}-${tail}`;
}
