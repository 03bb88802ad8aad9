import type { Box, Drawing, Point } from "./drawing.ts";

const corner = 14;

/** A wire's points with its ends on the sides of the boxes that face each other, each where the wire comes from. */
export function dockWire(inner: readonly Point[], { from, to }: { from: Box; to: Box }, direction: Drawing["direction"]): Point[] {
  const first = inner[0] ?? to;
  const last = inner.at(-1) ?? from;
  return [borderOf(from, first, { direction, side: 1 }), ...inner, borderOf(to, last, { direction, side: -1 })];
}

/** The point of a box's side that faces another point, off the corners. */
function borderOf(box: Box, towards: Point, { direction, side }: { direction: Drawing["direction"]; side: 1 | -1 }): Point {
  const isDown = direction === "down";
  const [half, reach] = isDown ? [box.width / 2, box.height / 2] : [box.height / 2, box.width / 2];
  const [along, across] = isDown ? [towards.y - box.y, towards.x - box.x] : [towards.x - box.x, towards.y - box.y];
  const shift = along === 0 ? 0 : (across * reach) / Math.abs(along);
  const most = half - corner;
  const off = Math.max(-most, Math.min(most, shift));
  return isDown ? { x: box.x + off, y: box.y + side * reach } : { x: box.x + side * reach, y: box.y + off };
}
