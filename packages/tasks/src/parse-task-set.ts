import { type Problem, type Task, TroupeError, formatProblem } from "@troupe/schema";
import { explainIssues } from "./explain-issues.ts";
import { readLines } from "./read-lines.ts";
import { problemAt, type SetLine } from "./set-lines.ts";
import { formatOfSet, knownFormats, type TaskFormat } from "./task-formats.ts";

const maxShown = 20;

/**
 * Reads a task set: our own JSON Lines, or a published set (HumanEval, MBPP, MMLU-Pro, GSM-Hard, CommonGen-Hard, SRDD), told apart by the
 * keys of the first line.
 *
 * @param file the name that problems carry.
 * @throws TroupeError `task_set_invalid` with every bad line as a problem: not JSON or CSV, against the schema, too long, an id used twice.
 */
export function parseTaskSet(bytes: Uint8Array, file: string): Task[] {
  const { lines, problems } = readLines(bytes, file);
  const [first] = lines;
  const format = first === undefined ? undefined : formatOfSet(first.value);
  if (format !== undefined) {
    const read = readTasks(lines, format, file);
    if (problems.length + read.problems.length === 0) return read.tasks;
    problems.push(...read.problems);
  } else if (first !== undefined) {
    const message = `These keys are those of no format that is known: ${Object.keys(first.value).slice(0, 12).join(", ") || "none"}.`;
    problems.push({ ...problemAt(file, first.line, message), expected: knownFormats });
  }
  throw invalidTaskSet(file, problems);
}

function readTasks(lines: readonly SetLine[], format: TaskFormat, file: string): { tasks: Task[]; problems: Problem[] } {
  const tasks: Task[] = [];
  const problems: Problem[] = [];
  const lineOf = new Map<string, number>();
  for (const [index, { line, value }] of lines.entries()) {
    const read = format.read(value, index);
    if ("issues" in read) {
      problems.push(...explainIssues(read.issues, { value, schema: format.schema }, file, line));
      continue;
    }
    const id = format.namesRepeat === true ? freeId(read.task.id, lineOf) : read.task.id;
    const earlier = lineOf.get(id);
    if (earlier !== undefined) problems.push(problemAt(file, line, `The id "${id}" was used in line ${earlier} already.`));
    lineOf.set(id, earlier ?? line);
    tasks.push({ ...read.task, id });
  }
  return { tasks, problems };
}

/** The name itself the first time, then with a number, in the order of the file. */
function freeId(name: string, taken: ReadonlyMap<string, number>): string {
  let id = name;
  for (let number = 2; taken.has(id); number++) id = `${name}/${number}`;
  return id;
}

/** The error that reports every problem of a task set at once. */
export function invalidTaskSet(file: string, problems: readonly Problem[]): TroupeError {
  const inOrder = [...problems].sort((a, b) => a.line - b.line);
  const shown = inOrder.slice(0, maxShown).map(formatProblem);
  const rest = inOrder.length > maxShown ? [`… and ${inOrder.length - maxShown} more`] : [];
  const head = `The task set ${file} has ${inOrder.length} ${inOrder.length === 1 ? "problem" : "problems"}; mend them and try again.`;
  return new TroupeError("task_set_invalid", [head, ...shown, ...rest].join("\n"), { problems: inOrder });
}
