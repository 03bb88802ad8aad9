import type { Task } from "@troupe/schema";
import { z } from "zod";
import { lineId } from "./line-id.ts";

/** One line of CommonGen-Hard (arXiv 2303.17651): words that one text must use. */
export const commonGenHardLine = z.object({
  task_id: lineId.optional().describe("Name, unique in the set"),
  concepts: z.array(z.string().trim().min(1)).min(1).describe("The words that the text must use"),
});
type CommonGenHardLine = z.infer<typeof commonGenHardLine>;

/** A list of words as a text that must use them all. */
export function fromCommonGenHard(line: CommonGenHardLine, index: number): Task {
  const words = [...new Set(line.concepts)];
  const ask =
    "Write a short, coherent text that makes sense and uses every one of these words at least once. A word may stand in another form, such as the plural or the past tense.";
  return {
    id: line.task_id ?? `commongen-hard/${index}`,
    prompt: `${ask}\n\nWords: ${words.join(", ")}`,
    output: "text",
    language: "python",
    files: [],
    tests: [],
    grader: { kind: "words", words },
    tags: ["commongen-hard", "text", "words"],
    source: "CommonGen-Hard",
  };
}
