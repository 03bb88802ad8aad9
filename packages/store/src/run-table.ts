import {
  addUsage,
  type Damaged,
  type EventBody,
  noUsage,
  type Outcome,
  type RunSummary,
  runPruned,
  TroupeError,
  type Usage,
} from "@troupe/schema";
import type { Database } from "better-sqlite3";
import { isCorrupt, toStoreError } from "./store-error.ts";

/** The runs of a database with the figures of their lists, kept up to date as their logs grow. */
export interface RunTable {
  /** A run's key and the number of its events, if it is known. */
  find(name: string): RunKey | undefined;
  /** Adds a run. */
  start(first: RunStarted, at: number): RunKey;
  /** Counts newly appended events. */
  update(id: number, bodies: readonly EventBody[]): void;
  list(limit: number, damaged?: Damaged): RunSummary[];
  /** @throws TroupeError `run_unknown`, `run_pruned`. */
  resolve(name: string, damaged?: Damaged): string;
}

/** The body of a run's first event. */
export type RunStarted = Extract<EventBody, { kind: "run.started" }>;

/** Where a run's events go. */
export interface RunKey {
  readonly id: number;
  /** How many it has, which is also the next sequence number. */
  readonly events: number;
}

interface Row extends Omit<Usage, "estimated"> {
  readonly run: string;
  readonly topology: string;
  readonly task: string;
  readonly startedAt: number;
  readonly outcome: Outcome["kind"] | null;
  readonly estimated: number;
  readonly events: number;
}

const columns = `name AS run, topology, task, started_at AS startedAt, outcome, events,
  calls, input_tokens AS inputTokens, output_tokens AS outputTokens, usd, seconds, estimated`;

/** The runs of a database. */
export function createRunTable(db: Database): RunTable {
  const find = db.prepare<[string], RunKey>("SELECT id, events FROM runs WHERE name = ?");
  const insert = db.prepare("INSERT INTO runs (name, topology, task, started_at, events) VALUES (?, ?, ?, ?, 0)");
  const update = db.prepare(`UPDATE runs SET events = events + @added, outcome = iif(@changed, @outcome, outcome),
    calls = calls + @calls, input_tokens = input_tokens + @inputTokens, output_tokens = output_tokens + @outputTokens,
    usd = usd + @usd, seconds = seconds + @seconds, estimated = max(estimated, @estimated) WHERE id = @id`);
  const list = db.prepare<[number], Row>(`SELECT ${columns} FROM runs ORDER BY id DESC LIMIT ?`);
  const named = db
    .prepare<[{ name: string }], string>(
      "SELECT name FROM runs WHERE substr(name, 1, length(@name)) = @name ORDER BY name = @name DESC, id DESC LIMIT 5",
    )
    .pluck();
  const pruned = db.prepare<[{ name: string }], PrunedRun>(
    "SELECT run, at FROM pruned WHERE substr(run, 1, length(@name)) = @name ORDER BY run = @name DESC, run DESC LIMIT 2",
  );
  const newest = db.prepare<[], string>("SELECT name FROM runs ORDER BY id DESC LIMIT 1").pluck();
  const tolerant = createTolerance(db);

  return {
    find: (name) => find.get(name),
    start(first, at) {
      const { lastInsertRowid } = insert.run(first.run, first.topology, shorten(first.task.prompt), at);
      return { id: Number(lastInsertRowid), events: 0 };
    },
    update(id, bodies) {
      const spent = bodies.reduce((sum, body) => (body.kind === "call.settled" ? addUsage(sum, body.usage) : sum), noUsage);
      update.run({ id, added: bodies.length, ...outcomeAfter(bodies), ...spent, estimated: Number(spent.estimated) });
    },
    list(limit, damaged) {
      const rows = tolerant(damaged, { work: () => list.all(limit), makeDo: (left) => left.slice(0, limit) });
      return rows.map(toSummary);
    },
    resolve: (name, damaged) =>
      tolerant(damaged, {
        work: () => choose(name, named.all({ name }), { newest: newest.get(), pruned: pruned.all({ name }) }),
        makeDo: (left) => choose(name, namesLike(name, left), { newest: left[0]?.run, pruned: [] }),
      }),
  };
}

/** Does some work, or, where the list of runs is damaged, makes do with what can be read of it, the newest first. */
type Tolerant = <T>(damaged: Damaged | undefined, ways: { work: () => T; makeDo: (left: readonly Row[]) => T }) => T;

function createTolerance(db: Database): Tolerant {
  const forwards = db.prepare<[], Row>(`SELECT ${columns} FROM runs ORDER BY id`);
  const backwards = db.prepare<[], Row>(`SELECT ${columns} FROM runs ORDER BY id DESC`);
  return (damaged, { work, makeDo }) => {
    try {
      return work();
    } catch (thrown) {
      if (damaged === undefined || !isCorrupt(thrown)) throw thrown;
      damaged(toStoreError(thrown, db.name));
      // From both ends up to the damage.
      const [first, last] = [readable(forwards.iterate()), readable(backwards.iterate())];
      const seen = new Set(last.map(({ run }) => run));
      return makeDo([...last, ...first.filter(({ run }) => !seen.has(run)).reverse()]);
    }
  };
}

function readable(rows: Iterable<Row>): Row[] {
  const read: Row[] = [];
  try {
    for (const row of rows) read.push(row);
  } catch (thrown) {
    if (!isCorrupt(thrown)) throw thrown;
  }
  return read;
}

/** The names that begin so, the whole name first. */
function namesLike(name: string, rows: readonly Row[]): string[] {
  const names = rows.map(({ run }) => run).filter((run) => run.startsWith(name));
  return names.includes(name) ? [name] : names.slice(0, 5);
}

interface PrunedRun {
  readonly run: string;
  readonly at: number;
}

interface Others {
  readonly newest: string | undefined;
  /** Pruned runs that the name may mean. */
  readonly pruned: readonly PrunedRun[];
}

function choose(name: string, matches: readonly string[], { newest, pruned }: Others): string {
  const [gone, another] = pruned;
  const isGone = gone !== undefined && name !== "" && (gone.run === name || (matches.length === 0 && another === undefined));
  if (isGone) throw runPruned(gone.run, gone.at);
  if (newest === undefined) throw unknownRun("There is no run in this database yet. Start one with `troupe run`.");
  const [first, ...others] = matches;
  if (first === name) return first;
  if (name === "last") return newest;
  if (name === "" || first === undefined) throw unknownRun(`No run is named ${JSON.stringify(name)}. List the runs with \`troupe runs\`.`);
  if (others.length > 0) throw unknownRun(`${matches.join(", ")} all begin with ${JSON.stringify(name)}. Give a longer beginning.`);
  return first;
}

/** What the events make of the run's outcome: the last end or resume among them decides. */
function outcomeAfter(bodies: readonly EventBody[]): { changed: 0 | 1; outcome: Outcome["kind"] | null } {
  const last = bodies.findLast((body) => body.kind === "run.ended" || body.kind === "run.resumed");
  return { changed: last === undefined ? 0 : 1, outcome: last?.kind === "run.ended" ? last.outcome.kind : null };
}

function toSummary({ run, topology, task, startedAt, outcome, events, estimated, ...spent }: Row): RunSummary {
  return { run, topology, task, startedAt, outcome: outcome ?? undefined, usage: { ...spent, estimated: estimated === 1 }, events };
}

function shorten(prompt: string): string {
  const line = prompt.replace(/\s+/g, " ").trim();
  return line.length <= 120 ? line : `${line.slice(0, 119)}…`;
}

function unknownRun(message: string): TroupeError {
  return new TroupeError("run_unknown", message);
}
