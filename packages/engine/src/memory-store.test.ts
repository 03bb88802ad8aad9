import { createHash } from "node:crypto";
import { type Artifact, canonicalJson, noUsage } from "@troupe/schema";
import { expect, test } from "vitest";
import { header } from "../test/scripted.ts";
import { createMemoryStore, createNullStore } from "./memory-store.ts";

const began = { kind: "activation.began", activation: 0, attempt: 1 } as const;
const ended = { kind: "run.ended", outcome: { kind: "cancelled", reason: "x" }, usage: { ...noUsage, calls: 2 }, seconds: 1 } as const;

test("createMemoryStore() numbers events densely and gives them back in order", () => {
  const store = createMemoryStore();
  expect(store.append("test", [header(), began], 5).map(({ seq, at }) => [seq, at])).toEqual([
    [0, 5],
    [1, 5],
  ]);
  store.append("test", [ended], 6);
  expect(store.events("test").map((event) => event.kind)).toEqual(["run.started", "activation.began", "run.ended"]);
  expect(store.events("none")).toEqual([]);
});

test("createMemoryStore() wants run.started first, and once", () => {
  const store = createMemoryStore();
  expect(() => store.append("test", [began], 0)).toThrow(/run.started/);
  store.append("test", [header()], 0);
  expect(() => store.append("test", [header()], 0)).toThrow(/run.started/);
  expect(store.events("test")).toHaveLength(1);
});

test("createMemoryStore() finds runs by name, by a unique beginning, and the last", () => {
  const store = createMemoryStore();
  for (const run of ["apple", "apricot", "ap"]) store.append(run, [header({}, run)], 0);
  expect(["apple", "ap", "apr", "last"].map((name) => store.resolve(name))).toEqual(["apple", "ap", "apricot", "ap"]);
  for (const name of ["app1", "pear"]) expect(() => store.resolve(name)).toThrow(expect.objectContaining({ code: "run_unknown" }));
  expect(() => createMemoryStore().resolve("last")).toThrow(expect.objectContaining({ code: "run_unknown" }));
});

test("createMemoryStore() lists the newest runs first", () => {
  const store = createMemoryStore();
  store.append("old", [header({}, "old"), ended], 1);
  store.append("new", [header({}, "new"), began], 2);
  expect(store.list(9)).toMatchObject([
    { run: "new", startedAt: 2, outcome: undefined, events: 2 },
    { run: "old", startedAt: 1, outcome: "cancelled", usage: { calls: 2 } },
  ]);
  expect(store.list(1)).toHaveLength(1);
});

test("createMemoryStore() stores an artifact once by the SHA-256 of its canonical JSON, and hands out copies", () => {
  const store = createMemoryStore();
  const artifact: Artifact = { kind: "json", value: { b: 1, a: [2] } };
  const ref = store.put(artifact);
  expect(ref).toEqual({ hash: createHash("sha256").update(canonicalJson(artifact)).digest("hex"), kind: "json", bytes: 39 });
  expect(store.put({ kind: "json", value: { a: [2], b: 1 } })).toEqual(ref);
  const read = store.get(ref);
  if (read.kind === "json") read.value = "changed";
  expect(store.get(ref)).toEqual(artifact);
  store.close();
  expect(() => store.get(ref)).toThrow(expect.objectContaining({ code: "store_damaged" }));
});

test("createNullStore() keeps artifacts and no log", () => {
  const store = createNullStore();
  const first = store.put({ kind: "text", text: "a" });
  const second = store.put({ kind: "text", text: "b" });
  expect([store.get(second), store.get(first)]).toEqual([
    { kind: "text", text: "b" },
    { kind: "text", text: "a" },
  ]);
  expect(store.append("test", [header(), began], 5).map((event) => event.seq)).toEqual([0, 1]);
  expect(store.append("test", [ended], 5)[0]?.seq).toBe(2);
  expect(store.events("test")).toEqual([]);
});
