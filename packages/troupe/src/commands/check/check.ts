import { modelNames, readProject } from "@troupe/runtime";
import { formatProblem, isTroupeError } from "@troupe/schema";
import { checkFile } from "@troupe/topology";
import type { TroupeContext } from "../../context.ts";
import { exitCodes } from "../../exit-code.ts";
import { colorsOf } from "../../view/colors.ts";
import { shownPath } from "../shown-path.ts";

/** The flags of `troupe check`. */
export interface CheckFlags {
  readonly models?: string;
  readonly json: boolean;
}

/** Checks files one after another. */
export async function check(this: TroupeContext, flags: CheckFlags, ...files: string[]): Promise<void> {
  const { stdout, env } = this.process;
  const color = colorsOf(stdout, env);
  const { models, why } = await declaredModels(this, flags.models);
  let unchecked = why;
  for (const file of files) {
    const { kind, problems, description } = await checkFile(shownPath(file, this), { signal: this.signal, models });
    const bad = problems.some((problem) => problem.severity === "error");
    if (bad) this.exit = exitCodes.wrongCall;
    if (kind === "topology" && unchecked !== undefined) {
      this.messages.show(`Models of topologies are not checked: ${unchecked}`);
      unchecked = undefined;
    }
    if (flags.json) {
      stdout.write(`${JSON.stringify({ file, kind, ok: !bad, problems })}\n`);
      continue;
    }
    for (const problem of problems) stdout.write(`${formatProblem(problem)}\n`);
    stdout.write(bad ? `${color.red("✗")} ${file}\n` : `${color.green("✓")} ${file}: ${kind}\n${indented(description)}`);
  }
}

/** The models that topologies may name: any when no troupe.yaml declares some, or when the nearest one can't be used, and why not. */
async function declaredModels({ cwd }: TroupeContext, given: string | undefined): Promise<{ models?: readonly string[]; why?: string }> {
  try {
    const { file } = await readProject(cwd, given);
    return Object.keys(file.models).length === 0 ? {} : { models: modelNames(file) };
  } catch (error) {
    if (given !== undefined || !isTroupeError(error)) throw error;
    const file = error.problems[0]?.file;
    return { why: file === undefined ? error.message : `${file} has problems. See \`troupe check ${file}\`.` };
  }
}

function indented(text: string): string {
  return text === "" ? "" : `${text.trimEnd().replaceAll(/^(?=.)/gm, "  ")}\n`;
}
