import { entryOf, type ToolCall, type ToolName, type ToolReport, type ToolSpec } from "@troupe/schema";
import { z } from "zod";
import { readFencedBlocks } from "./answer/fenced-blocks.ts";
import { tagOf } from "./answer/code-shape.ts";
import { readJson } from "./answer/read-json.ts";
import { commandFor, layOut, runTests } from "./checks/check-tree.ts";
import { runInSandbox } from "./checks/run-in-sandbox.ts";
import { shorten } from "./prompts/sections.ts";
import type { Work } from "./work.ts";
import type { Workspace } from "./workspace.ts";

/** Calls of one answer that are carried out; more are answered with a refusal. */
const maxCalls = 16;
/** Characters of a file that `read_file` gives. */
const maxRead = 8000;

const text = { type: "string" };
const specs: Record<ToolName, ToolSpec> = {
  write_file: {
    name: "write_file",
    description: "Writes a whole file of the workspace, new or not.",
    parameters: objectOf({ path: { ...text, description: "Relative path" }, content: { ...text, description: "The whole content" } }, [
      "path",
      "content",
    ]),
  },
  read_file: {
    name: "read_file",
    description: "Reads a file of the workspace.",
    parameters: objectOf({ path: { ...text, description: "Relative path" } }, ["path"]),
  },
  run_program: {
    name: "run_program",
    description: "Runs the program of the workspace in a sandbox without network and shows what it prints.",
    parameters: objectOf(
      { args: { type: "array", items: text, description: "Arguments" }, stdin: { ...text, description: "Standard input" } },
      [],
    ),
  },
  run_tests: { name: "run_tests", description: "Runs the tests of the workspace and shows what fails.", parameters: objectOf({}, []) },
};

const argumentsOf = {
  write_file: z.object({ path: z.string(), content: z.string() }),
  read_file: z.object({ path: z.string() }),
  run_program: z.object({ args: z.array(z.coerce.string()).max(50).default([]), stdin: z.string().default("") }),
  run_tests: z.object({}),
} satisfies Record<ToolName, z.ZodType>;

/** The tools of a card as a model sees them. */
export function toolSpecs(tools: readonly ToolName[]): ToolSpec[] {
  return tools.map((tool) => specs[tool]);
}

/** Tool calls that a model wrote into its text as fenced blocks: ```tool {"tool": "read_file", "path": "main.py"} */
export function readToolBlocks(answer: string): ToolCall[] {
  const blocks = readFencedBlocks(answer).filter((block) => tagOf(block.info) === "tool");
  return blocks.flatMap((block, index) => {
    const value = readJson(block.lines.join("\n"));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return [];
    const { tool, name, arguments: inner, ...rest } = value;
    const called = typeof tool === "string" ? tool : name;
    return typeof called === "string" ? [{ id: `text-${index}`, name: called, arguments: JSON.stringify(inner ?? rest) }] : [];
  });
}

/** Carries out the tool calls of an answer, one after another; answers one text for each. Only the card's tools are allowed. */
export async function useTools(work: Work, workspace: Workspace, calls: readonly ToolCall[]): Promise<string[]> {
  const answers: string[] = [];
  for (const [index, call] of calls.entries()) {
    answers.push(index < maxCalls ? await useTool(work, workspace, call) : `Not done: at most ${maxCalls} calls in one answer.`);
  }
  return answers;
}

async function useTool(work: Work, workspace: Workspace, call: ToolCall): Promise<string> {
  const tool = work.card.tools.find((name) => name === call.name);
  if (tool === undefined) return `There is no tool ${JSON.stringify(call.name.slice(0, 40))}. Your tools: ${work.card.tools.join(", ")}.`;
  const given = call.arguments.trim() === "" ? {} : readJson(call.arguments);
  switch (tool) {
    case "write_file": {
      const parsed = argumentsOf.write_file.safeParse(given);
      return parsed.success ? writeFile(work, workspace, parsed.data) : explain(tool, parsed.error);
    }
    case "read_file": {
      const parsed = argumentsOf.read_file.safeParse(given);
      return parsed.success ? readFile(work, workspace, parsed.data.path) : explain(tool, parsed.error);
    }
    case "run_program": {
      const parsed = argumentsOf.run_program.safeParse(given);
      return parsed.success ? runProgram(work, workspace, parsed.data) : explain(tool, parsed.error);
    }
    case "run_tests":
      return (await runTests(work, workspace.tree()))?.text ?? "There are no tests.";
  }
}

function writeFile(work: Work, workspace: Workspace, { path, content }: { path: string; content: string }): string {
  const refused = workspace.write(path, content);
  const answer = refused ?? `Written: ${path}, ${content.length} characters.`;
  return report(work, { tool: "write_file", input: path, output: answer, ok: refused === undefined });
}

function readFile(work: Work, workspace: Workspace, path: string): string {
  const file = workspace.read(path);
  if (file === undefined) {
    const paths = [...workspace.tree(), ...workspace.tests()].map((one) => one.path).join(", ");
    return report(work, { tool: "read_file", input: path, output: `There is no such file. There are: ${shorten(paths, 900)}`, ok: false });
  }
  const content = file.encoding === "utf8" ? shorten(file.content, maxRead) : `(binary, ${file.content.length} characters of base64)`;
  return report(work, { tool: "read_file", input: path, output: content, ok: true });
}

async function runProgram(work: Work, workspace: Workspace, { args, stdin }: { args: string[]; stdin: string }): Promise<string> {
  const command = commandFor(work, entryOf(work.context.task), args);
  const title = [command.program, ...command.args].join(" ");
  const judge = (result: { ended: string; exitCode: number | null }) => result.ended === "exited" && result.exitCode === 0;
  const trial = await runInSandbox(work, {
    tool: "run_program",
    files: layOut(work, workspace.tree(), false),
    command,
    stdin,
    title: shorten(title, 400),
    judge,
  });
  return trial.text;
}

/** What was done with a tool. */
export type ToolUse = Pick<ToolReport, "input" | "output" | "ok"> & { readonly tool: ToolName };

/** Logs the use of a tool that ran nothing. */
export function report({ context }: Pick<Work, "context">, used: ToolUse): string {
  const { tool, input, output, ok } = used;
  context.report({ tool, input: shorten(input, 200), output: shorten(output, 1000), ok, seconds: 0 });
  return output;
}

function explain(tool: ToolName, error: z.ZodError): string {
  return `The arguments of ${tool} were not understood: ${shorten(z.prettifyError(error), 300)}`;
}

function objectOf(properties: Record<string, unknown>, required: readonly string[]): Record<string, unknown> {
  return { type: "object", properties, required, additionalProperties: false };
}
