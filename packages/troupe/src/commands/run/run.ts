import { basename, join, resolve } from "node:path";
import { isUtf8 } from "node:buffer";
import { checkProductFolder, runTroupe } from "@troupe/runtime";
import { type Task, TroupeError } from "@troupe/schema";
import { loadTasks, readRegularFile } from "@troupe/tasks";
import type { TroupeContext } from "../../context.ts";
import { finishRun } from "../../view/finish-run.ts";
import { terminalHuman } from "../../view/terminal-human.ts";
import { watchRun } from "../../view/watch-run.ts";
import { type LimitFlags, type WorldFlags, worldOf, callWords } from "../flags.ts";
import { limitsOf } from "../limits-of.ts";
import { readFlagFile } from "../read-flag-file.ts";
import { tellWarnings } from "../tell-warnings.ts";
import { withPorts } from "../with-world.ts";
import { runSet } from "./run-set.ts";
import { type ProductFlags, wordsTask } from "./words-task.ts";

/** The longest task that can be read from a file; a model reads far less. */
const mostTaskBytes = 1024 * 1024;

/** The flags of `troupe run`. */
export interface RunFlags extends WorldFlags, LimitFlags, ProductFlags {
  readonly task?: string;
  readonly taskFile?: string;
  readonly tasks?: string;
  readonly only?: string;
  readonly limit?: number;
  readonly seeds?: number;
  readonly jobs?: number;
  readonly results?: string;
  readonly from?: string;
  readonly out?: string;
  readonly seed?: number;
}

/** Runs one task or a set of tasks, shows how it goes, and says what came of it. */
export async function run(this: TroupeContext, flags: RunFlags, ...topologies: string[]): Promise<void> {
  const words = [flags.task, flags.taskFile, flags.tasks].filter((given) => given !== undefined);
  if (words.length !== 1)
    throw new TroupeError("call_invalid", "Say what to make with exactly one of --task, --task-file and --tasks. See `troupe run --help`.");
  checkSetFlags(flags);
  const tasks = await tasksOf(flags, this);
  const [topology, ...more] = topologies;
  const [task, ...others] = tasks;
  if (topology === undefined || task === undefined) throw new TroupeError("call_invalid", "No task is left to run.");
  const single = more.length + others.length === 0 && (flags.seeds ?? 1) === 1 && flags.results === undefined;
  if (single) await runOne(this, flags, topology, task);
  else await runSet(this, flags, topologies, tasks);
}

function checkSetFlags({ tasks, only, limit, output, choices }: RunFlags): void {
  if (tasks === undefined && (only !== undefined || limit !== undefined))
    throw new TroupeError("call_invalid", "--only and --limit choose from a task set; name one with --tasks.");
  if (tasks !== undefined && (output !== undefined || choices !== undefined))
    throw new TroupeError("call_invalid", "--output and --choices go with --task and --task-file; the tasks of a set say it themselves.");
}

async function runOne(context: TroupeContext, flags: RunFlags, topology: string, task: Task): Promise<void> {
  const out = flags.out ?? join("out", basename(topology).replace(/\.ya?ml$/, ""));
  await checkProductFolder(resolve(context.cwd, out));
  const { from, seed, json } = flags;
  const limits = limitsOf(flags);
  await withPorts(flags, context, async (ports) => {
    const world = worldOf(flags, context);
    await tellWarnings([topology], ports, context);
    const human = terminalHuman(context);
    const run = runTroupe({ ...world, topology, task, limits, from, seed, ports }, { signal: context.signal, human });
    const watched = await watchRun(run, context, { json, human, read: (ref) => ports.store.get(ref) });
    await finishRun({ ...watched, context, ports, task, out, json, words: callWords(flags) });
  });
}

async function tasksOf(flags: RunFlags, context: TroupeContext): Promise<Task[]> {
  if (flags.tasks === undefined) return [wordsTask(flags.task ?? (await readTaskFile(flags.taskFile ?? "", context)), flags)];
  const { only, limit } = flags;
  const tasks = await loadTasks(flags.tasks, { signal: context.signal });
  const chosen = only === undefined ? tasks : tasks.filter((task) => task.id === only);
  if (chosen.length === 0)
    throw new TroupeError("call_invalid", `The task set ${flags.tasks} has no task "${only}". See \`troupe tasks show ${flags.tasks}\`.`);
  return limit === undefined ? chosen : chosen.slice(0, limit);
}

async function readTaskFile(file: string, context: TroupeContext): Promise<string> {
  const read = (path: string) => readRegularFile(path, mostTaskBytes, context.signal);
  const bytes = await readFlagFile({ flag: "--task-file", file }, context, read);
  if (!isUtf8(bytes) || bytes.includes(0)) throw new TroupeError("file_unreadable", `The task file ${file} is not text in UTF-8.`);
  return Buffer.from(bytes).toString();
}
