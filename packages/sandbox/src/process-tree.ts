import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** What a process tree uses at one moment. */
export interface TreeUse {
  /** The process itself and all below it. */
  readonly pids: readonly number[];
  /** Resident bytes, shared pages counted once for each process. */
  readonly residentBytes: number;
}

const pageBytes = 4096;

/**
 * The processes below a process, children first in the order they were started; empty where `/proc` does not tell.
 *
 * @param most stops looking after this many, so that a fork bomb can't keep the watcher busy.
 */
export async function descendantsOf(pid: number, most = 4096): Promise<number[]> {
  const found: number[] = [];
  const open = [pid];
  for (let parent = open.shift(); parent !== undefined && found.length < most; parent = open.shift()) {
    const children = await childrenOf(parent);
    found.push(...children);
    open.push(...children);
  }
  return found;
}

/** The direct children of a process, in the order they were started. */
export async function childrenOf(pid: number): Promise<number[]> {
  const tasks = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = await Promise.all(tasks.map((task) => readText(`/proc/${pid}/task/${task}/children`)));
  return lists.flatMap((list) => list.split(" ").filter(Boolean).map(Number));
}

/** What a process and all below it use together; asks `/proc`, or `ps` where there is none. */
export async function useOf(pid: number): Promise<TreeUse> {
  if (process.platform !== "linux") return useByPs(pid);
  const pids = [pid, ...(await descendantsOf(pid))];
  const pages = await Promise.all(pids.map(async (each) => Number((await readText(`/proc/${each}/statm`)).split(" ")[1] ?? 0)));
  return { pids, residentBytes: pages.reduce((sum, each) => sum + each, 0) * pageBytes };
}

/** Resident bytes of a process and all below it, shared pages counted once; slower than {@link useOf}. */
export async function proportionalBytesOf(pid: number): Promise<number> {
  if (process.platform !== "linux") return (await useByPs(pid)).residentBytes;
  const pids = [pid, ...(await descendantsOf(pid))];
  const kib = await Promise.all(
    pids.map(async (each) => Number(/^Pss:\s+(\d+)/m.exec(await readText(`/proc/${each}/smaps_rollup`))?.[1] ?? 0)),
  );
  return kib.reduce((sum, each) => sum + each, 0) * 1024;
}

/** When a process was started, in ticks since the machine was; tells a process from a later one with the same number. */
export async function startTimeOf(pid: number): Promise<string | undefined> {
  const stat = await readText(`/proc/${pid}/stat`);
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

async function useByPs(pid: number): Promise<TreeUse> {
  const { stdout } = await promisify(execFile)("ps", ["-axo", "pid=,ppid=,rss="]).catch(() => ({ stdout: "" }));
  return useFromPs(stdout, pid);
}

/** Reads what `ps -axo pid=,ppid=,rss=` prints. */
export function useFromPs(table: string, pid: number): TreeUse {
  const rows = table.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const pids = new Set([pid]);
  for (let before = 0; before < pids.size; ) {
    before = pids.size;
    for (const [child, parent] of rows) if (child !== undefined && parent !== undefined && pids.has(parent)) pids.add(child);
  }
  const kib = rows.reduce((sum, [each, , rss]) => sum + (each !== undefined && pids.has(each) ? (rss ?? 0) : 0), 0);
  return { pids: [...pids], residentBytes: kib * 1024 };
}

function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
