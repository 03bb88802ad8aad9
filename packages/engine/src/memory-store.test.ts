import { type Artifact, noUsage } from "@troupe/schema";
import { expect, test } from "vitest";
import { runStoreContract } from "../../../test/support/run-store-contract.ts";
import { header } from "../test/scripted.ts";
import { createMemoryStore, createNullStore } from "./memory-store.ts";

runStoreContract("createMemoryStore()", createMemoryStore);

test("createMemoryStore() hands out copies of its artifacts, and none once it is closed", () => {
  const store = createMemoryStore();
  const artifact: Artifact = { kind: "json", value: { b: 1, a: [2] } };
  const ref = store.put(artifact);
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
  const ended = { kind: "run.ended", outcome: { kind: "cancelled", reason: "x" }, usage: noUsage, seconds: 1 } as const;
  expect(store.append("test", [header(), ended], 5).map((event) => event.seq)).toEqual([0, 1]);
  expect(store.append("test", [ended], 5)[0]?.seq).toBe(2);
  expect(store.events("test")).toEqual([]);
});
