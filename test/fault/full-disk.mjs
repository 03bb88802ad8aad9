// Runs on a disk that is nearly full until it is, makes room, goes on, and says what came of it:
// node full-disk.mjs FOLDER FREE_BYTES
import { createHash } from "node:crypto";
import { rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createMemoryStore } from "@troupe/engine";
import { canonicalJson } from "@troupe/schema";
import { openStore } from "@troupe/store";
import { checkRun, endOf } from "./check-run.mjs";
import { goOn, run } from "./session.mjs";

const [, , folder, free] = process.argv;
const order = { scene: 0, seed: 1 };
const db = join(folder, "runs.db");
const ballast = join(folder, "ballast");

const undisturbed = createMemoryStore();
await goOn(undisturbed, order).result;
const expected = endOf(undisturbed.events(run));

const calls = [];
let next = 0;
/** The store, with how long the log is. */
function opened() {
  const store = openStore(db);
  const append = (...words) => {
    const events = store.append(...words);
    next = events.at(-1).seq + 1;
    return events;
  };
  return { ...store, append };
}
const told = (kind, request) => {
  const hash = createHash("sha256").update(canonicalJson(request)).digest("hex");
  if (kind !== "delta") calls.push({ kind, request: hash, next });
};

const store = opened();
const { bavail, bsize } = statfsSync(folder);
writeFileSync(ballast, Buffer.alloc(bavail * bsize - Number(free)));
const { outcome } = await goOn(store, { ...order, told }).result;
store.close();
rmSync(ballast);

const again = opened();
const kept = again.events(run).length;
next = kept;
const resumed = await goOn(again, { ...order, told }).result;
const log = again.events(run);
again.close();
const { halfStreamed: _, ...faults } = checkRun(log, calls, expected);
process.stdout.write(JSON.stringify({ first: outcome, kept, resumed: resumed.outcome.kind, faults }));
