import type { Task } from "@troupe/schema";
import { z } from "zod";
import { functionGrader } from "./function-test.ts";

/** One line of MBPP as published (arXiv 2108.07732); the id is a number there. */
export const mbppLine = z.object({
  task_id: z.union([z.string().min(1), z.number().int()]).transform(String),
  text: z.string().min(1),
  test_list: z.array(z.string().min(1)).min(1),
  test_setup_code: z.string().default(""),
});
type MbppLine = z.infer<typeof mbppLine>;

/**
 * An MBPP problem as a task: `main.py` must hold the function.
 *
 * The prompt shows the first published assertion, which is the only place where the function's name stands;
 * the hidden test runs all of them after the published set-up code.
 */
export function fromMbpp(line: MbppLine): Task {
  const id = line.task_id.includes("/") ? line.task_id : `mbpp/${line.task_id}`;
  return {
    id,
    prompt: `${line.text.trim()}\n\nYour code should pass this test:\n\n\`\`\`python\n${line.test_list[0] ?? ""}\n\`\`\``,
    output: "files",
    language: "python",
    entry: "main.py",
    files: [],
    tests: [],
    grader: functionGrader({ entry: "main.py", before: [], after: [line.test_setup_code, ...line.test_list] }),
    tags: ["mbpp", "function", "python"],
    source: "MBPP",
  };
}
