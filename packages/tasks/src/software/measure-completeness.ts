import { type FileEntry, findPlaceholders } from "@troupe/schema";
import { type Measure, measured, unmeasured } from "./software-metrics.ts";

/** 1 when no code is left for later: no empty function, no comment such as "implement this here"; else 0. */
export function measureCompleteness(code: readonly FileEntry[]): Measure {
  if (code.length === 0) return unmeasured("The product has no code of its own (.py, .js, .ts).");
  const [first, ...more] = findPlaceholders(code);
  if (first === undefined) return measured(1, "No code is left for later.");
  return measured(0, `Code is left for later at ${first}${more.length === 0 ? "" : ` and ${more.length} more`}`);
}
