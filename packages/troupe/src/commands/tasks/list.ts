import { builtinSets } from "@troupe/tasks";
import type { TroupeContext } from "../../context.ts";
import { formatTable } from "../../view/format-table.ts";

/** Lists the built-in sets. */
export function list(this: TroupeContext, flags: { readonly json: boolean }): void {
  const { stdout } = this.process;
  if (flags.json) stdout.write(`${JSON.stringify(builtinSets)}\n`);
  else for (const line of formatTable(builtinSets.map(({ name, description }) => [name, description]))) stdout.write(`${line}\n`);
}
