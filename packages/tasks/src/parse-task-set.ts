import { type Problem, type Task, task, TroupeError, formatProblem } from "@troupe/schema";
import type { z } from "zod";
import { fromHumanEval, humanEvalLine } from "./humaneval.ts";
import { fromMbpp, mbppLine } from "./mbpp.ts";
import { type JsonLine, problemAt, readJsonLines } from "./read-json-lines.ts";

const maxShown = 20;

/** The formats of a line, the first that claims the first line of a set being the set's. */
const formats: readonly { claims: readonly string[]; schema: z.ZodType<Task> }[] = [
  { claims: ["task_id", "prompt", "entry_point", "test"], schema: humanEvalLine.transform(fromHumanEval) },
  { claims: ["task_id", "text", "test_list"], schema: mbppLine.transform(fromMbpp) },
  { claims: [], schema: task },
];

/**
 * Reads a task set: our own JSON Lines, HumanEval or MBPP, told apart by the keys of the first line.
 *
 * @param file the name that problems carry.
 * @throws TroupeError `task_set_invalid` with every bad line as a problem: not JSON, against the schema, too long, an id used twice.
 */
export function parseTaskSet(bytes: Uint8Array, file: string): Task[] {
  const { lines, problems } = readJsonLines(bytes, file);
  const schema = formatOf(lines);
  const tasks: Task[] = [];
  const lineOf = new Map<string, number>();
  for (const { line, value } of lines) {
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      problems.push(...parsed.error.issues.map((issue) => problemAt(file, line, describe(issue))));
      continue;
    }
    const earlier = lineOf.get(parsed.data.id);
    if (earlier !== undefined) problems.push(problemAt(file, line, `The id "${parsed.data.id}" was used in line ${earlier} already.`));
    lineOf.set(parsed.data.id, earlier ?? line);
    tasks.push(parsed.data);
  }
  if (problems.length > 0) throw invalidTaskSet(file, problems);
  return tasks;
}

/** The error that reports every problem of a task set at once. */
export function invalidTaskSet(file: string, problems: readonly Problem[]): TroupeError {
  const inOrder = [...problems].sort((a, b) => a.line - b.line);
  const shown = inOrder.slice(0, maxShown).map(formatProblem);
  const rest = inOrder.length > maxShown ? [`… and ${inOrder.length - maxShown} more`] : [];
  const head = `The task set ${file} has ${inOrder.length} ${inOrder.length === 1 ? "problem" : "problems"}; mend them and try again.`;
  return new TroupeError("task_set_invalid", [head, ...shown, ...rest].join("\n"), { problems: inOrder });
}

function formatOf(lines: readonly JsonLine[]): z.ZodType<Task> {
  const first = lines[0]?.value ?? {};
  const format = formats.find(({ claims }) => claims.every((key) => key in first));
  return format?.schema ?? task;
}

function describe(issue: z.core.$ZodIssue): string {
  const where = issue.path.map(String).join(".");
  return where === "" ? `${issue.message}.` : `${where}: ${issue.message}.`;
}
