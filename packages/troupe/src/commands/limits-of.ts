import { type Limits, mergeLimits } from "@troupe/schema";
import type { LimitFlags } from "./flags.ts";

/** The limits that the flags give. */
export function limitsOf(flags: LimitFlags): Limits {
  const given = {
    tokens: flags.limitTokens,
    seconds: flags.limitSeconds,
    usd: flags.limitUsd,
    calls: flags.limitCalls,
    parallel: flags.parallel,
  };
  return mergeLimits(flags.limits, Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
}
