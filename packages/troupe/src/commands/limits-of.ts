import { type Limits, limits as limitsSchema, mergeLimits, TroupeError } from "@troupe/schema";
import type { LimitFlags } from "./flags.ts";

/**
 * The limits that the flags give.
 *
 * @throws TroupeError `call_invalid` when `--limits` holds none.
 */
export function limitsOf(flags: LimitFlags): Limits {
  const given = {
    tokens: flags.limitTokens,
    seconds: flags.limitSeconds,
    usd: flags.limitUsd,
    calls: flags.limitCalls,
    parallel: flags.parallel,
  };
  return mergeLimits(checkLimits(flags.limits?.json), Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)));
}

function checkLimits(value: unknown): Limits | undefined {
  if (value === undefined) return undefined;
  const { data, error } = limitsSchema.safeParse(value);
  if (data !== undefined) return data;
  const [first] = error.issues;
  const where = first === undefined || first.path.length === 0 ? "" : ` at ${first.path.join(".")}`;
  throw new TroupeError("call_invalid", `--limits holds no limits${where}: ${first?.message ?? ""}. See docs/reference/topology.md.`);
}
