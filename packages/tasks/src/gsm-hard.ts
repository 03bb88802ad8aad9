import type { Task } from "@troupe/schema";
import { z } from "zod";
import { lineId } from "./line-id.ts";

const question = z.string().min(1).describe("What is asked");
const result = z.number().describe("The right number");

/** One line of GSM-Hard (arXiv 2211.10435), with the keys of its copies. */
export const gsmHardLine = z.object({ task_id: lineId.optional().describe("Name, unique in the set"), question, answer: result });
type GsmHardLine = z.infer<typeof gsmHardLine>;

/** One line of GSM-Hard with the keys under which it was first published. */
export const gsmHardFirstLine = z
  .object({ input: question, target: result })
  .transform(({ input, target }): GsmHardLine => ({ question: input, answer: target }));

/** A sum of GSM-Hard as a text that ends with a number. */
export function fromGsmHard(line: GsmHardLine, index: number): Task {
  const form =
    "Work it out step by step, but briefly. Write the result into the last line, in this form, where N is a plain number without a unit:\nAnswer: N";
  return {
    id: line.task_id ?? `gsm-hard/${index}`,
    prompt: `${line.question.trim()}\n\n${form}`,
    output: "text",
    language: "python",
    files: [],
    tests: [],
    grader: { kind: "answer", answer: String(line.answer) },
    tags: ["gsm-hard", "text", "number"],
    source: "GSM-Hard",
  };
}
