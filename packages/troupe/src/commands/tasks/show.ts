import { type Task, toPublicTask, TroupeError } from "@troupe/schema";
import { loadTasks } from "@troupe/tasks";
import type { TroupeContext } from "../../context.ts";
import { formatTable } from "../../view/format-table.ts";
import { oneLine, plainText } from "../../view/terminal-text.ts";

/** Shows a task set, or one task of it. */
export async function show(this: TroupeContext, flags: { readonly json: boolean }, set: string, id?: string): Promise<void> {
  const { stdout } = this.process;
  const tasks = await loadTasks(set, { signal: this.signal });
  const chosen = id === undefined ? tasks : tasks.filter((task) => task.id === id);
  if (chosen.length === 0)
    throw new TroupeError("call_invalid", `The task set ${set} has no task "${id}". See \`troupe tasks show ${set}\`.`);
  if (flags.json) for (const task of chosen) stdout.write(`${JSON.stringify(toPublicTask(task))}\n`);
  else if (id === undefined) for (const line of formatTable(tasks.map(rowOf))) stdout.write(`${line}\n`);
  else for (const task of chosen) stdout.write(`${pageOf(task)}\n`);
}

function rowOf(task: Task): string[] {
  const first = oneLine(task.prompt.trim().split("\n", 1)[0] ?? "");
  return [task.id, task.language, gradedBy(task), first.length > 70 ? `${first.slice(0, 69)}…` : first];
}

function gradedBy({ grader }: Task): string {
  if (grader === undefined) return "not graded";
  return grader.kind === "tests" ? "hidden tests" : grader.kind;
}

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

function pageOf(task: Task): string {
  const files = [...task.files.map(({ path }) => `given: ${path}`), ...task.tests.map(({ path }) => `visible test: ${path}`)];
  return [
    `${task.id} (${[...new Set([task.language, ...task.tags])].join(", ")}; ${gradedBy(task)})`,
    ...files,
    "",
    plainText(task.prompt),
    ...(task.choices === undefined ? [] : ["", ...task.choices.map((choice, index) => `${letters[index] ?? "?"}) ${oneLine(choice)}`)]),
  ].join("\n");
}
