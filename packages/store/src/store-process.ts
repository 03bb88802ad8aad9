import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/** The process that a store works for, as others see it. */
export interface StoreProcess {
  readonly pid: number;
  /** Name of the machine, for people. */
  readonly host: string;
  /** Where its process id means something: the same for two processes that can see each other. */
  readonly place: string;
  /** Whether a process of the same place is there. */
  isAlive(pid: number): boolean;
}

/** This process. */
export function currentProcess(): StoreProcess {
  return { pid: process.pid, host: hostname(), place: placeOfProcess(), isAlive };
}

// Containers can share a host's name and its disk, but not its process ids; and after a restart the ids begin anew.
function placeOfProcess(): string {
  try {
    return `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // It is there, but belongs to somebody else.
    return thrown instanceof Error && "code" in thrown && thrown.code === "EPERM";
  }
}
