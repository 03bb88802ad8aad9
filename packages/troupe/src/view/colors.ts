import { createColors } from "picocolors";
import type { OutputStream, TroupeContext } from "../context.ts";

/** Functions that colour text, or leave it as it is. */
export type Colors = ReturnType<typeof createColors>;

/** The colours of a stream: `NO_COLOR` turns them off, `FORCE_COLOR` on, otherwise a terminal that is not `dumb` has them. */
export function colorsOf(stream: OutputStream, env: TroupeContext["process"]["env"]): Colors {
  return createColors(wantsColor(stream, env));
}

/** The same words without colour. */
export const noColors: Colors = createColors(false);

function wantsColor(stream: OutputStream, env: TroupeContext["process"]["env"]): boolean {
  if (env["NO_COLOR"]) return false;
  const forced = env["FORCE_COLOR"];
  if (forced !== undefined) return forced !== "0" && forced !== "false";
  return stream.isTTY === true && env["TERM"] !== "dumb";
}
