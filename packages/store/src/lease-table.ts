import { randomUUID } from "node:crypto";
import { leaseUntil, type RunHolder, type RunLeases, runHeld, runLost } from "@troupe/schema";
import type { Database } from "better-sqlite3";
import type { StoreProcess } from "./store-process.ts";

/** The leases of a database; call what changes them inside a write transaction. */
export interface LeaseTable extends RunLeases {
  /** @throws TroupeError `run_lost` unless the lease holds. */
  check(run: string, lease: string): void;
  /** Lets a lease go that can't be taken out of the database now: for this process it holds no longer. */
  abandon(lease: string): void;
}

/** Leases that this process no longer wants; others have to wait until these run out. */
const abandoned = new Set<string>();

interface Row extends RunHolder {
  readonly name: string;
  readonly place: string;
}

/** The leases of a database, as one process sees and takes them. */
export function createLeaseTable(db: Database, self: StoreProcess): LeaseTable {
  const find = db.prepare<[string], Row>("SELECT name, pid, host, place, since, until FROM leases WHERE run = ?");
  const nameOf = db.prepare<[string], string>("SELECT name FROM leases WHERE run = ?").pluck();
  const put = db.prepare("INSERT OR REPLACE INTO leases (run, name, pid, host, place, since, until) VALUES (?, ?, ?, ?, ?, ?, ?)");
  const prolong = db.prepare("UPDATE leases SET until = ? WHERE run = ?");
  const remove = db.prepare("DELETE FROM leases WHERE run = ? AND name = ?");

  function holder(run: string, now: number): RunHolder | undefined {
    const row = find.get(run);
    if (row === undefined || row.until <= now) return undefined;
    if (abandoned.has(row.name) || (row.place === self.place && !self.isAlive(row.pid))) return undefined;
    const { pid, host, since, until } = row;
    return { pid, host, since, until };
  }
  function check(run: string, lease: string): void {
    if (nameOf.get(run) !== lease) throw runLost(run, find.get(run));
  }

  return {
    holder,
    check,
    acquire(run, now) {
      const current = holder(run, now);
      if (current !== undefined) throw runHeld(run, current);
      const name = randomUUID();
      put.run(run, name, self.pid, self.host, self.place, now, leaseUntil(now));
      return name;
    },
    renew(run, lease, now) {
      check(run, lease);
      prolong.run(leaseUntil(now, find.get(run)?.until), run);
    },
    abandon: (lease) => void abandoned.add(lease),
    release: (run, lease) => void remove.run(run, lease),
  };
}
