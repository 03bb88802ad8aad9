// One session of a run in a process that is made to be killed: the parent sends what to do, and where to die.
// It loads everything first and then says that it is ready, so that the parent's kills fall into the work.
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, writeSync } from "node:fs";
import { createRequire } from "node:module";
import { foldLog } from "@troupe/engine";
import { canonicalJson } from "@troupe/schema";
import { openStore } from "@troupe/store";
import { goOn, run } from "./session.mjs";

/** How often each kind of point was passed. */
const passed = { statement: 0, append: 0, committed: 0, delta: 0, answered: 0 };
/** Sequence number of the next event, as far as this session knows the log. */
let next = 0;

/** Passes a point; dies there if it is the one that was ordered. */
function pass(point, order) {
  if (++passed[point] === order.kill?.count && order.kill.point === point) process.kill(process.pid, "SIGKILL");
}

/** The store with points before and after each append and after each statement within; broken on demand, to see that it is noticed. */
function createFragileStore(order) {
  const store = openStore(order.db);
  watchStatements(() => pass("statement", order));
  const append = (...words) => {
    pass("append", order);
    const events = store.append(...words);
    next = events.at(-1).seq + 1;
    pass("committed", order);
    return events;
  };
  const events = (...words) => forget(store.events(...words), order.break);
  return { ...store, append, events };
}

// The copy that the store uses; every statement of every database has the same prototype.
function watchStatements(seen) {
  const Sqlite = createRequire(import.meta.resolve("@troupe/store"))("better-sqlite3");
  const db = new Sqlite(":memory:");
  const statement = Object.getPrototypeOf(db.prepare("SELECT 1"));
  db.close();
  const { run: real } = statement;
  statement.run = function run(...words) {
    const result = real.apply(this, words);
    seen();
    return result;
  };
}

/**
 * A log as a faulty engine would read it: without answers, without what was reserved for calls, or without activations whose end the director
 * answered with nothing.
 */
function forget(log, what) {
  if (what === "calls") return log.map((event) => (event.kind === "call.started" ? { ...event, reserved: { tokens: 0, usd: 0 } } : event));
  if (what === "answers") return log.map((event) => (event.answer === undefined ? event : withoutAnswer(event)));
  if (what !== "activations") return log;
  const answered = new Set(log.flatMap(({ kind, cause }) => (kind === "step" ? [cause.activation] : [])));
  const notice = { topic: "engine.forgotten", scope: "", data: 0 };
  return log.map((event) => {
    const isForgotten = event.kind === "activation.settled" && !answered.has(event.activation);
    return isForgotten ? { kind: "notice", notice, seq: event.seq, at: event.at } : event;
  });
}

function withoutAnswer({ answer: _answer, messages: _messages, ...rest }) {
  return { ...rest, error: { code: "model_failed", message: "forgotten", retryable: true } };
}

/** Writes a line for every call to a file of its own, which is on disk before the call goes on. */
function createRecorder(order) {
  const file = openSync(order.calls, "a");
  const record = (kind, request) => {
    if (kind !== "asked") pass(kind, order);
    if (kind === "delta") return;
    const hash = createHash("sha256").update(canonicalJson(request)).digest("hex");
    writeSync(file, `${JSON.stringify({ kind, request: hash, next })}\n`);
    fsyncSync(file);
  };
  return { record, close: () => closeSync(file) };
}

async function work(order) {
  const began = performance.now();
  const store = createFragileStore(order);
  const log = store.events(run);
  next = log.length;
  // A kill may come after the last event, and before anybody heard of it.
  if (foldLog(log).outcome?.kind !== "completed") {
    const { record, close } = createRecorder(order);
    await goOn(store, { ...order, told: record }).result;
    close();
  }
  store.close();
  process.send({ kind: "ended", milliseconds: performance.now() - began, passed }, () => process.disconnect());
}

process.once("message", (order) => {
  work(order).catch((error) => {
    process.send({ kind: "failed", error: String(error.stack ?? error) }, () => process.exit(1));
  });
});
process.send({ kind: "ready" });
