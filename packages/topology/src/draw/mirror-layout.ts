import type { Drawing, Point } from "./drawing.ts";

/** Whether most neighbours of one rank stand in falling order: a reader expects 1, 2, 3 and not 3, 2, 1. */
export function isBackwards(places: readonly Point[], direction: Drawing["direction"]): boolean {
  const last = new Map<number, number>();
  let rising = 0;
  for (const { x, y } of places) {
    const [rank, across] = direction === "down" ? [y, x] : [x, y];
    const before = last.get(Math.round(rank));
    if (before !== undefined) rising += across > before ? 1 : -1;
    last.set(Math.round(rank), across);
  }
  return rising < 0;
}

/** Turns a point to the other side of the drawing, across its direction. */
export function mirrored({ x, y }: Point, { direction, width, height }: Pick<Drawing, "direction" | "width" | "height">): Point {
  return direction === "down" ? { x: width - x, y } : { x, y: height - y };
}
