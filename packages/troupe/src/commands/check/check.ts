import { formatProblem } from "@troupe/schema";
import { checkFile } from "@troupe/topology";
import type { TroupeContext } from "../../context.ts";
import { exitCodes } from "../../exit-code.ts";
import { colorsOf } from "../../view/colors.ts";
import { shownPath } from "../shown-path.ts";

/** Checks files one after another. */
export async function check(this: TroupeContext, flags: { readonly json: boolean }, ...files: string[]): Promise<void> {
  const { stdout, env } = this.process;
  const color = colorsOf(stdout, env);
  for (const file of files) {
    const { kind, problems, description } = await checkFile(shownPath(file, this), { signal: this.signal });
    const bad = problems.some((problem) => problem.severity === "error");
    if (bad) this.exit = exitCodes.wrongCall;
    if (flags.json) {
      stdout.write(`${JSON.stringify({ file, kind, ok: !bad, problems })}\n`);
      continue;
    }
    for (const problem of problems) stdout.write(`${formatProblem(problem)}\n`);
    stdout.write(bad ? `${color.red("✗")} ${file}\n` : `${color.green("✓")} ${file}: ${kind}\n${indented(description)}`);
  }
}

function indented(text: string): string {
  return text === "" ? "" : `${text.trimEnd().replaceAll(/^(?=.)/gm, "  ")}\n`;
}
