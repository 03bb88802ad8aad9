import { leaseUntil, type RunHolder, type RunLeases, runHeld, runLost } from "@troupe/schema";

interface Lease extends RunHolder {
  readonly name: string;
}

/** Leases in memory, with what a store needs to check them. */
export interface MemoryLeases extends RunLeases {
  /** @throws TroupeError `run_lost` unless the lease holds. */
  check(run: string, lease: string): void;
  /** Forgets who has a run. */
  drop(run: string): void;
  clear(): void;
}

/** Leases of runs that one process keeps in memory: a holder is never gone, only silent. */
export function createMemoryLeases(): MemoryLeases {
  const leases = new Map<string, Lease>();
  let taken = 0;
  const holder = (run: string, now: number): RunHolder | undefined => {
    const lease = leases.get(run);
    return lease === undefined || lease.until <= now ? undefined : lease;
  };
  const check = (run: string, name: string): void => {
    const lease = leases.get(run);
    if (lease?.name !== name) throw runLost(run, lease);
  };
  return {
    holder,
    check,
    acquire(run, now) {
      const current = holder(run, now);
      if (current !== undefined) throw runHeld(run, current);
      const name = `lease ${taken++}`;
      leases.set(run, { name, pid: process.pid, host: "this machine", since: now, until: leaseUntil(now) });
      return name;
    },
    renew(run, name, now) {
      check(run, name);
      const lease = leases.get(run);
      if (lease !== undefined) leases.set(run, { ...lease, until: leaseUntil(now, lease.until) });
    },
    release(run, name) {
      if (leases.get(run)?.name === name) leases.delete(run);
    },
    drop: (run) => void leases.delete(run),
    clear: () => leases.clear(),
  };
}
