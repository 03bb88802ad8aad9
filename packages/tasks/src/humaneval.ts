import type { Task } from "@troupe/schema";
import { z } from "zod";
import { functionGrader } from "./function-test.ts";

/** One line of HumanEval as published (arXiv 2107.03374). */
export const humanEvalLine = z.object({
  task_id: z.string().min(1),
  prompt: z.string().min(1),
  entry_point: z.string().regex(/^[A-Za-z_]\w*$/),
  test: z.string().min(1),
});
type HumanEvalLine = z.infer<typeof humanEvalLine>;

/**
 * A HumanEval problem as a task: the whole function goes into `solution.py`, and no test is shown.
 *
 * The hidden test runs the prompt's import lines, then the product, then the published `check` in the same
 * namespace, because some published checks call helper functions of the prompt.
 */
export function fromHumanEval(line: HumanEvalLine): Task {
  const ask = "Complete this function. Answer with the whole function in one python code block and nothing else.";
  return {
    id: line.task_id,
    prompt: `${ask}\n\n\`\`\`python\n${line.prompt.trimEnd()}\n\`\`\``,
    output: "files",
    language: "python",
    entry: "solution.py",
    files: [],
    tests: [],
    grader: functionGrader({
      entry: "solution.py",
      before: line.prompt.split("\n").filter((text) => /^(import|from)\s/.test(text)),
      after: [`candidate = ${line.entry_point}`, line.test.trim(), "", "check(candidate)"],
    }),
    tags: ["humaneval", "function", "python"],
    source: "HumanEval",
  };
}
