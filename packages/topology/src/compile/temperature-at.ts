import type { TopologyDefaults } from "@troupe/schema";

/** The temperature at a depth: fixed, or on a straight line from the sources to the deepest node (MacNet). */
export function temperatureAt(schedule: TopologyDefaults["temperature"], depth: number, deepest: number): number {
  if (typeof schedule === "number") return schedule;
  const share = deepest === 0 ? 0 : depth / deepest;
  // Millionths, so that logs and caches see 0.2 and not 0.19999999999999984.
  return Math.round((schedule.from * (1 - share) + schedule.to * share) * 1e6) / 1e6;
}
