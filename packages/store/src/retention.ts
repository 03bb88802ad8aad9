import { type CompactedStore, type RemovedRuns, type RunHolder, runHeld, TroupeError } from "@troupe/schema";
import type { Database } from "better-sqlite3";
import { compact, sizeOf } from "./compact.ts";
import type { LeaseTable } from "./lease-table.ts";
import { createLogReader, type ReadLogs } from "./used-artifacts.ts";

/** Thrown to take a trial back. */
class Trial extends Error {
  readonly removed: RemovedRuns;

  constructor(removed: RemovedRuns) {
    super("only a trial");
    this.removed = removed;
  }
}

type Counts = { -readonly [Key in keyof RemovedRuns]: RemovedRuns[Key] };

interface Run {
  readonly id: number;
  readonly name: string;
}

/** Removes runs from a database, with what only they name. */
export class Retention {
  readonly #db: Database;
  readonly #leases: LeaseTable;
  readonly #readLogs: ReturnType<typeof createLogReader>;
  readonly #sql: Statements;

  constructor(db: Database, leases: LeaseTable) {
    this.#db = db;
    this.#leases = leases;
    this.#readLogs = createLogReader(db);
    this.#sql = prepare(db);
  }

  remove(names: readonly string[], now: number, dryRun: boolean): RemovedRuns {
    const doomed = new Set(names);
    // Reading everything takes long, so it is done before others have to wait; then only what came since is read.
    const used = this.#readLogs(doomed);
    const candidates = this.#sql.putBefore.all(this.#sessionsSince(now)).filter((hash) => !used.hashes.has(hash.toString("hex")));
    const whole = () => {
      const runs = [...doomed].map((name) => this.#findRun(name, now));
      const counts = this.#removeLogs(runs, now);
      this.#readLogs(doomed, used);
      this.#removeArtifacts(candidates, used, counts, this.#sessionsSince(now));
      if (dryRun) throw new Trial(counts);
      return counts;
    };
    try {
      return this.#db.transaction(whole).immediate();
    } catch (thrown) {
      if (thrown instanceof Trial) return thrown.removed;
      throw thrown;
    }
  }

  compact(now: number): CompactedStore {
    if (this.#holders(now).length === 0) return compact(this.#db);
    const size = sizeOf(this.#db);
    return { before: size, after: size, left: "in use" };
  }

  #holders(now: number): RunHolder[] {
    return this.#sql.leased.all().flatMap((run) => this.#leases.holder(run, now) ?? []);
  }

  /** What was put since the oldest session began may be about to be named by an event. */
  #sessionsSince(now: number): number {
    return this.#holders(now).reduce((oldest, { since }) => Math.min(oldest, since), Number.MAX_VALUE);
  }

  #findRun(name: string, now: number): Run {
    const id = this.#sql.find.get(name);
    if (id === undefined) throw new TroupeError("run_unknown", `There is no run ${name}. List the runs with \`troupe runs\`.`);
    const holder = this.#leases.holder(name, now);
    if (holder !== undefined) throw runHeld(name, holder);
    return { id, name };
  }

  #removeLogs(runs: readonly Run[], now: number): Counts {
    const { sizeOfLog, removals, remember } = this.#sql;
    const counts: Counts = { runs: runs.length, events: 0, artifacts: 0, bytes: 0 };
    for (const run of runs) {
      const { events, bytes } = sizeOfLog.get(run.id) ?? { events: 0, bytes: 0 };
      counts.events += events;
      counts.bytes += bytes;
      for (const removal of removals) removal.run(run);
      remember.run({ name: run.name, now });
    }
    return counts;
  }

  #removeArtifacts(candidates: readonly Buffer[], used: ReadLogs, counts: Counts, before: number): void {
    const { sizeOfArtifact, removeArtifact } = this.#sql;
    for (const hash of candidates) {
      if (used.hashes.has(hash.toString("hex"))) continue;
      const bytes = sizeOfArtifact.get(hash) ?? 0;
      if (removeArtifact.run(hash, before).changes === 0) continue;
      counts.artifacts++;
      counts.bytes += bytes;
    }
  }
}

type Statements = ReturnType<typeof prepare>;

function prepare(db: Database) {
  const removals = ["DELETE FROM events WHERE run = @id", "DELETE FROM runs WHERE id = @id", "DELETE FROM leases WHERE run = @name"];
  return {
    find: db.prepare<[string], number>("SELECT id FROM runs WHERE name = ?").pluck(),
    leased: db.prepare<[], string>("SELECT run FROM leases").pluck(),
    sizeOfLog: db.prepare<[number], { events: number; bytes: number }>(
      "SELECT count(*) AS events, coalesce(sum(length(body)), 0) AS bytes FROM events WHERE run = ?",
    ),
    sizeOfArtifact: db.prepare<[Buffer], number>("SELECT length(body) FROM artifacts WHERE hash = ?").pluck(),
    putBefore: db.prepare<[number], Buffer>("SELECT hash FROM artifacts WHERE put_at < ?").pluck(),
    removeArtifact: db.prepare("DELETE FROM artifacts WHERE hash = ? AND put_at < ?"),
    removals: removals.map((sql) => db.prepare(sql)),
    remember: db.prepare("INSERT OR REPLACE INTO pruned (run, at) VALUES (@name, @now)"),
  };
}
