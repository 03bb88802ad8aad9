import { z } from "zod";
import { fileEntry, workspacePath } from "./artifact.ts";

/** The languages that sandboxes run. */
export const language = z.enum(["python", "javascript", "typescript"]);
export type Language = z.infer<typeof language>;

/** A program call inside a workspace. */
export const command = z
  .strictObject({
    program: z.enum(["python", "node"]).describe("The interpreter"),
    args: z.array(z.string()).describe("Its arguments; the first is usually a file of the workspace"),
  })
  .describe("A program call inside a workspace");
export type Command = z.infer<typeof command>;

/** A call of the program by which it is seen to run. */
export const exampleCall = z
  .strictObject({
    args: z.array(z.string()).default([]).describe("Arguments"),
    stdin: z.string().default("").describe("Standard input"),
  })
  .describe("A call that a right program does not fail at");

/** What the agents see of a task. */
export const publicTask = z
  .strictObject({
    id: z.string().min(1).max(200).describe("Name, unique in its set"),
    prompt: z.string().min(1).describe("What is asked for"),
    output: z.enum(["text", "files", "choice", "json"]).default("files").describe("Kind of product"),
    language: language.default("python").describe("Language of the program"),
    entry: workspacePath.optional().describe("File that must exist and is run or imported; default by language: main.py, main.js, main.ts"),
    files: z.array(fileEntry).default([]).describe("Files given with the task"),
    tests: z.array(fileEntry).default([]).describe("Tests that the agents may see and run"),
    choices: z.array(z.string()).optional().describe("Options of a choice question"),
    calls: z
      .array(exampleCall)
      .min(1)
      .optional()
      .describe(
        "Calls that must end with exit code 0, for the metric executability; absent: one without arguments and input, which may refuse",
      ),
  })
  .describe("What the agents see of a task");

/** How a product is graded; agents never see it. */
export const grader = z
  .discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("tests"),
      files: z.array(fileEntry).describe("Hidden tests, laid beside the product (they win over files of the same name)"),
      command: command.describe("Passes when it exits with 0"),
      seconds: z.number().positive().max(600).default(30).describe("Time limit"),
    }),
    z.strictObject({
      kind: z.literal("answer"),
      answer: z.string().describe("The right choice, number or text, compared after normalisation"),
    }),
    z.strictObject({
      kind: z.literal("words"),
      words: z.array(z.string().min(1)).min(1).describe("Words that must all occur in the text, each in any usual English inflection"),
    }),
  ])
  .describe("How a product is graded");

/** One line of a task set in JSON Lines. */
export const task = publicTask
  .extend({
    grader: grader.optional().describe("How a product is graded; absent: not graded"),
    tags: z.array(z.string()).default([]).describe("For filters, such as `function` or `program`"),
    source: z.string().optional().describe("Where the task comes from"),
  })
  .describe("A task");

export type PublicTask = z.infer<typeof publicTask>;
export type ExampleCall = z.infer<typeof exampleCall>;
export type Grader = z.infer<typeof grader>;
export type Task = z.infer<typeof task>;

const entries: Record<Language, string> = { python: "main.py", javascript: "main.js", typescript: "main.ts" };

/** The file of a task that must exist and is run or imported. */
export function entryOf(of: Pick<PublicTask, "entry" | "language">): string {
  return of.entry ?? entries[of.language];
}

/** The part of a task that agents may see. */
export function toPublicTask(whole: Task): PublicTask {
  return publicTask.strip().parse(whole);
}
