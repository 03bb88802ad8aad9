import { readFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";

/** Seconds of CPU time up to now. */
export interface CpuTimes {
  /** Used by this process, over all threads. */
  readonly own: number;
  /** Unused, over all cores. */
  readonly idle: number;
  /** Passed on the wall. */
  readonly wall: number;
}

/** Less than this of a core taken by others is not worth a thread. */
const tolerance = 0.25;
const intervalMs = 500;

/**
 * How many threads the machine has room for: what this process got of the cores, and what nobody used.
 *
 * @param most never more than this; never less than 1.
 */
export function chooseThreads(before: CpuTimes, now: CpuTimes, most: number): number {
  const wall = now.wall - before.wall;
  if (wall <= 0) return most;
  const cores = (now.own - before.own + now.idle - before.idle) / wall;
  return Math.min(most, Math.max(1, Math.floor(cores + tolerance)));
}

/**
 * Keeps the number of compute threads at what the machine has room for, while other programs come and go.
 *
 * The native library's threads wait for each other by spinning, some hundred times a token. With one thread more than there are
 * free cores, each such wait lasts a time slice: on two cores shared with other work, two threads were seen to be forty times slower
 * than one.
 *
 * @returns ends the watch.
 */
export function governThreads(most: number, apply: (threads: number) => void, read: () => CpuTimes = readCpuTimes): () => void {
  let before = read();
  let threads = most;
  const timer = setInterval(() => {
    const now = read();
    const next = chooseThreads(before, now, most);
    before = now;
    if (next !== threads) apply(next);
    threads = next;
  }, intervalMs);
  timer.unref();
  return () => clearInterval(timer);
}

/** Cores that this process may use: those of the machine, its affinity, and on Linux the quota of its container. */
export function usableCores(): number {
  const cores = availableParallelism();
  try {
    const [quota = "max", period = "100000"] = readFileSync("/sys/fs/cgroup/cpu.max", "utf8").trim().split(" ");
    return quota === "max" ? cores : Math.max(1, Math.min(cores, Math.floor(Number(quota) / Number(period))));
  } catch {
    return cores;
  }
}

function readCpuTimes(): CpuTimes {
  const { user, system } = process.cpuUsage();
  const idle = cpus().reduce((sum, cpu) => sum + cpu.times.idle, 0);
  return { own: (user + system) / 1e6, idle: idle / 1000, wall: performance.now() / 1000 };
}
