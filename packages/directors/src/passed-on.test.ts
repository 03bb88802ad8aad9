import type { Activation, ArtifactRef, Settled } from "@troupe/schema";
import { expect, it } from "vitest";
import { passedOn } from "./passed-on.ts";

const ref: ArtifactRef = { hash: "a".repeat(64), kind: "files", bytes: 1 };
const inputs = [{ name: "artifact", ref }];
const activation: Activation = { id: 0, kind: "act", label: "1", inputs, after: [], scope: "", priority: 0, meta: {} };

function failed(code: string): Settled {
  return { activation: 0, state: "failed", error: { code, message: "no", retryable: false } };
}

it.each(["answer_unusable", "activation_exhausted"])("passedOn() goes on with what an agent was given after %s", (code) => {
  expect(passedOn(failed(code), activation)).toEqual(ref);
  expect(passedOn(failed(code), activation, "text")).toBeUndefined();
});

it.each(["model_unreachable", "internal", "human_missing"])("passedOn() papers over no %s", (code) => {
  expect(passedOn(failed(code), activation)).toBeUndefined();
});
