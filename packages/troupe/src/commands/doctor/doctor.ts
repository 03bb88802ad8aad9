import { exitCodes } from "../../exit-code.ts";
import type { TroupeContext } from "../../context.ts";
import { colorsOf } from "../../view/colors.ts";
import { checkDatabase, checkDisk, checkNode, checkProject } from "./basic-checks.ts";
import { checkModels } from "./model-checks.ts";
import { checkSandboxes } from "./sandbox-checks.ts";

/** What one check found. */
export interface Finding {
  readonly name: string;
  /** `bad` keeps every run from starting; `weak` is worth knowing. */
  readonly state: "good" | "weak" | "bad";
  /** What was found. */
  readonly fact: string;
  /** What to do about it, when not all is well. */
  readonly advice?: string;
}

export interface DoctorFlags {
  readonly models?: string;
  readonly db?: string;
  readonly ask: boolean;
  readonly json: boolean;
}

/** Runs all checks and prints a line for each finding. */
export async function doctor(this: TroupeContext, flags: DoctorFlags): Promise<void> {
  const { stdout, env } = this.process;
  const color = colorsOf(stdout, env);
  const marks = { good: color.green("✓"), weak: color.yellow("!"), bad: color.red("✗") };
  for (const check of [checkNode, checkProject, checkDisk, checkDatabase, checkSandboxes, checkModels]) {
    for (const { name, state, fact, advice } of await check(this, flags)) {
      if (state === "bad") this.exit = exitCodes.failed;
      const line = `${marks[state]} ${name.padEnd(10)} ${fact}`;
      if (flags.json) stdout.write(`${JSON.stringify({ name, state, fact, advice })}\n`);
      else stdout.write(advice === undefined ? `${line}\n` : `${line}\n${" ".repeat(13)}→ ${advice}\n`);
    }
  }
}
