import type { TroupeContext } from "../../context.ts";
import { jsonLine, oneLine } from "../../view/terminal-text.ts";
import { plural } from "../../view/words.ts";
import { shownPath } from "../shown-path.ts";
import { readPool } from "./pool-file.ts";

/** Shows the profiles of a pool. */
export async function list(this: TroupeContext, flags: { readonly json: boolean }, file: string): Promise<void> {
  const { stdout } = this.process;
  const { name, description, profiles } = await readPool(shownPath(file, this), this.signal);
  if (flags.json) {
    for (const profile of profiles) stdout.write(jsonLine(profile));
    return;
  }
  const about = description === undefined ? "" : `: ${oneLine(description)}`;
  stdout.write(`${name}, ${plural(profiles.length, "profile")}${about}\n`);
  for (const profile of profiles) stdout.write(`\n${profile.name}\n  ${oneLine(profile.text)}\n`);
}
