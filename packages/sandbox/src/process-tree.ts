import { readdir, readFile } from "node:fs/promises";

/** What a process tree uses at one moment. */
export interface TreeUse {
  readonly processes: number;
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

/** What a process and all below it use together. */
export async function useOf(pid: number): Promise<TreeUse> {
  const pids = [pid, ...(await descendantsOf(pid))];
  const pages = await Promise.all(pids.map(async (each) => Number((await readText(`/proc/${each}/statm`)).split(" ")[1] ?? 0)));
  const resident = pages.reduce((sum, each) => sum + each, 0) * pageBytes;
  return { processes: pids.length, residentBytes: resident };
}

/** Resident bytes of a process and all below it, shared pages counted once; slower than {@link useOf}. */
export async function proportionalBytesOf(pid: number): Promise<number> {
  const pids = [pid, ...(await descendantsOf(pid))];
  const kib = await Promise.all(
    pids.map(async (each) => Number(/^Pss:\s+(\d+)/m.exec(await readText(`/proc/${each}/smaps_rollup`))?.[1] ?? 0)),
  );
  return kib.reduce((sum, each) => sum + each, 0) * 1024;
}

function readText(path: string): Promise<string> {
  return readFile(path, "utf8").catch(() => "");
}
