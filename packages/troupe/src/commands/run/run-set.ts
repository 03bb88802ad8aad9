import { appendFile, mkdir, readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { openPorts, runTaskSet, type TaskRow, type TaskRun } from "@troupe/runtime";
import { type Task, TroupeError } from "@troupe/schema";
import { comparePaired, formatPassTable, type GradedProduct, passTable } from "@troupe/tasks";
import type { TroupeContext } from "../../context.ts";
import { limitsOf, worldOf } from "../flags.ts";
import type { RunFlags } from "./run.ts";

/** Runs every topology on every task with every seed, prints a line for each, and a table at the end. */
export async function runSet(
  context: TroupeContext,
  flags: RunFlags,
  topologies: readonly string[],
  tasks: readonly Task[],
): Promise<void> {
  if (flags.out !== undefined || flags.from !== undefined)
    throw new TroupeError("call_invalid", "--out and --from go with a single task, not with a set.");
  const results = flags.results === undefined ? undefined : resolve(context.cwd, flags.results);
  const known = results === undefined ? [] : await readResults(results);
  const done = new Set(known.map(keyOf));
  const firstSeed = flags.seed ?? 0;
  const seeds = Array.from({ length: flags.seeds ?? 1 }, (_, i) => firstSeed + i);
  const all = seeds.flatMap((seed) => tasks.flatMap((task) => topologies.map((topology): TaskRun => ({ topology, task, seed }))));
  const wanted = new Set(all.map(({ topology, task, seed }) => keyOf({ topology, task: task.id, seed })));
  const runs = all.filter(({ topology, task, seed }) => !done.has(keyOf({ topology, task: task.id, seed })));
  const rows = known.filter((row) => wanted.has(keyOf(row)));
  const ports = await openPorts(worldOf(flags, context), context.signal);
  try {
    const options = { cwd: context.cwd, ports, jobs: flags.jobs ?? 1, limits: limitsOf(flags) };
    for await (const row of runTaskSet(runs, options, context.signal)) {
      rows.push(row);
      if (results !== undefined) await keep(results, row);
      if (flags.json) context.process.stdout.write(`${JSON.stringify(row)}\n`);
      context.process.stderr.write(`${progressLine(row, rows.length, all.length)}\n`);
    }
  } finally {
    await ports.close();
  }
  if (!flags.json) context.process.stdout.write(`${summary(rows, topologies)}\n`);
}

function progressLine(row: TaskRow, done: number, total: number): string {
  const mark = row.passed === undefined ? "·" : row.passed ? "✓" : "✗";
  const tokens = row.usage.inputTokens + row.usage.outputTokens;
  return `[${done}/${total}] ${mark} ${row.topology} ${row.task} seed ${row.seed}: ${row.reason} (${tokens} tokens, ${row.seconds.toFixed(1)} s, ${row.run})`;
}

function summary(rows: readonly TaskRow[], topologies: readonly string[]): string {
  const graded = rows.flatMap((row): GradedProduct[] => (row.passed === undefined ? [] : [toGraded(row, row.passed)]));
  const table = formatPassTable(passTable(graded));
  const [first, ...others] = topologies;
  const pairs = others.map((other) => {
    const { both, onlyA, onlyB, neither, p } = comparePaired(graded, first ?? "", other);
    return `${first} against ${other}: both passed ${both}, only the first ${onlyA}, only the second ${onlyB}, neither ${neither}; exact McNemar p = ${p.toPrecision(3)}`;
  });
  return [table, ...pairs].join("\n");
}

function toGraded(row: TaskRow, passed: boolean): GradedProduct {
  return {
    system: row.topology,
    task: `${row.task}#${row.seed}`,
    passed,
    tokens: row.usage.inputTokens + row.usage.outputTokens,
    seconds: row.seconds,
  };
}

const keyOf = (row: Pick<TaskRow, "topology" | "task" | "seed">): string => JSON.stringify([row.topology, row.task, row.seed]);

async function keep(path: string, row: TaskRow): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await appendFile(path, `${JSON.stringify(row)}\n`);
}

/** The rows that a results file holds; a last line that was cut by a crash is left out. */
async function readResults(path: string): Promise<TaskRow[]> {
  const text = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw new TroupeError("file_unreadable", `${path} can't be read: ${error.message}.`, { cause: error });
  });
  return text.split("\n").flatMap((line, index, lines) => {
    try {
      return line.trim() === "" ? [] : [JSON.parse(line) as TaskRow];
    } catch (error) {
      if (index >= lines.length - 2) return [];
      throw new TroupeError("file_invalid", `${path}:${index + 1} is not a line of results.`, { cause: error });
    }
  });
}
