import { descendantsOf, startTimeOf } from "./process-tree.ts";

/** Kills a process that leads its own group, and every process that was ever seen below it. */
export class TreeKiller {
  readonly #leader: number | undefined;
  /** When each process that was seen had started; its number alone may by now be another's. */
  readonly #seen = new Map<number, string>();

  constructor(leader: number | undefined) {
    this.#leader = leader;
  }

  /** Notes processes, so that they are found also after they left the tree. */
  async remember(pids: readonly number[]): Promise<void> {
    for (const pid of pids) {
      const started = this.#seen.has(pid) ? undefined : await startTimeOf(pid);
      if (started !== undefined) this.#seen.set(pid, started);
    }
  }

  /** Kills the group, the tree and all that is remembered; what is gone already is no matter. */
  async killAll(): Promise<void> {
    if (this.#leader === undefined) return;
    const below = await descendantsOf(this.#leader);
    killQuietly(-this.#leader);
    for (const pid of below) killQuietly(pid);
    for (const [pid, started] of this.#seen) if ((await startTimeOf(pid)) === started) killQuietly(pid);
  }
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It is gone already.
  }
}
