import type { Task } from "@troupe/schema";
import { z } from "zod";
import { lineId } from "./line-id.ts";

/** Stands among the published options where a question has fewer. */
const noOption = "N/A";

/** One line of MMLU-Pro as published (arXiv 2406.01574), whose ids are numbers there. */
export const mmluProLine = z
  .object({
    task_id: lineId.optional().describe("Name, unique in the set"),
    question_id: lineId.optional().describe("Number of the question"),
    category: z.string().optional().describe("Field of the question"),
    question: z.string().min(1).describe("What is asked"),
    options: z.array(z.string().min(1)).min(2).max(26).describe("The options, A first"),
    answer: z.string().describe("Letter of the right option"),
  })
  .superRefine(({ options, answer }, context) => {
    const right = options[indexOf(answer)];
    if (right !== undefined && right !== noOption) return;
    context.addIssue({
      code: "custom",
      path: ["answer"],
      message: `is ${JSON.stringify(answer)}, which is none of the ${options.length} options`,
    });
  });
type MmluProLine = z.infer<typeof mmluProLine>;

/**
 * A question of MMLU-Pro as a choice. The right option is kept as text: a few questions have options that are letters themselves,
 * and the published placeholders for options that a question lacks are left out.
 */
export function fromMmluPro(line: MmluProLine, index: number): Task {
  const number = line.question_id ?? String(index);
  const category = line.category?.toLowerCase().trim().replaceAll(/\s+/g, "-");
  return {
    id: line.task_id ?? (number.includes("/") ? number : `mmlu-pro/${number}`),
    prompt: line.question.trim(),
    output: "choice",
    language: "python",
    files: [],
    tests: [],
    choices: line.options.filter((option) => option !== noOption),
    grader: { kind: "answer", answer: line.options[indexOf(line.answer)] ?? "" },
    tags: ["mmlu-pro", "choice", ...(category === undefined || category === "" ? [] : [category])],
    source: "MMLU-Pro",
  };
}

function indexOf(letter: string): number {
  return !/^[A-Z]$/.test(letter) ? -1 : letter.charCodeAt(0) - "A".charCodeAt(0);
}
