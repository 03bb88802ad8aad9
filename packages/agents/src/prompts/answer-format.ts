import { entryOf, type Language, type PublicTask, type ToolName } from "@troupe/schema";
import { stemOf, testPathOf } from "../answer/files-question.ts";
import { areLetters } from "../answer/read-choice.ts";
import type { Section } from "./sections.ts";
import { tagFor } from "./show-artifact.ts";

const languages: Record<Language, string> = {
  python: "Python 3, standard library only",
  javascript: "JavaScript for Node.js 20, CommonJS (require), built-in modules only",
  typescript: "TypeScript for Node.js 20 whose types can simply be erased (no enums, no namespaces), built-in modules only",
};

/** What the product is, how it is started or imported, and where its tests go when the task speaks of tests. */
export function productSection(task: PublicTask, asked: string): Section {
  const entry = entryOf(task);
  const name = stemOf(entry);
  const isPython = task.language === "python";
  const guard = isPython ? ` under \`if __name__ == "__main__":\`` : "";
  const use = isModule(task)
    ? `The code goes into ${entry}, which other code imports as \`${name}\`: names and arguments exactly as the task gives them.`
    : `\`${isPython ? "python" : "node"} ${entry}\` starts the program${guard}.`;
  // Where nobody asked for tests, the word alone makes small models write them instead of the program.
  const wantsTests = task.tests.length === 0 && /\btest/i.test(asked);
  const tests = wantsTests
    ? ` The tests go into a second file, ${testPathOf({ entry, language: task.language })}, which imports ${name}.`
    : "";
  return { text: `Language: ${languages[task.language]}. ${use}${tests}` };
}

/** Whether what the task asks for is a module with functions, not a program that is started. */
export function isModule(task: PublicTask): boolean {
  return entryOf(task) !== entryOf({ language: task.language });
}

/**
 * How to answer with files.
 *
 * @param maxLines what an answer has room for.
 * @param first what the answer's first sentence must say. A small model that has not said what it changes copies what it was shown.
 */
export function filesFormat(task: PublicTask, maxLines: number, first?: string): Section {
  const example = entryOf(task);
  const fence = "```";
  return {
    text: `${first === undefined ? "Answer with code only." : `Begin your answer with one sentence that says ${first}.`} Write each file whole in its own code block, with its path alone on the line before it, like this:

${example}
${fence}${tagFor(example)}
${skeleton(task)}
${fence}

Leave nothing out: every function must be complete. Be concise: the whole answer must stay under ${maxLines} lines. No ${first === undefined ? "" : "other "}explanations.`,
  };
}

/** What the example of a file shows. A small model that is not shown how a program starts often writes functions that nobody calls. */
function skeleton(task: PublicTask): string {
  if (task.language !== "python" || isModule(task)) return "…the whole file…";
  return `…imports and functions…

def main():
    …

if __name__ == "__main__":
    main()`;
}

/** How to answer a choice question. */
export function choiceFormat(choices: readonly string[] | undefined): Section {
  const last = "End with one line of this form and nothing after it:\nAnswer: …";
  if (choices === undefined || choices.length === 0) return { text: last };
  const form = areLetters(choices) ? `one of ${choices.join(", ")}` : "the letter of the right option";
  return { text: last.replace("…", `<${form}>`) };
}

/** How to answer with JSON. */
export const jsonFormat: Section = { text: "Answer with one JSON value in a ```json block and nothing else." };

/** How to answer with text. */
export const textFormat: Section = { text: "Answer with the text only: no greeting, no remarks about your answer." };

/** From this context size on, models that don't call tools by themselves are told how to. */
const largeContext = 16_384;

/** Tells a large model without tool calls that it may use tools; the others have them called on their behalf. */
export function toolsSection(
  tools: readonly ToolName[],
  model: { readonly tools: "native" | "text"; readonly contextTokens: number },
): Section[] {
  if (tools.length === 0 || model.tools === "native" || model.contextTokens < largeContext) return [];
  return [
    {
      text: `Before you answer you may use a tool (${tools.join(", ")}), by a block such as:\n\`\`\`tool\n{"tool": "${tools[0] ?? ""}"}\n\`\`\``,
    },
  ];
}
