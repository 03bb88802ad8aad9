import { type Activation, type EventBody, type Human, type HumanQuestion, noUsage, publicTask } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { SampleLog } from "../../../test/sample-run.ts";
import { answeringHuman } from "./answering-human.ts";

const waitOf = (id: number, after: number[] = []): Activation => ({
  ...{ id, kind: "wait", label: `w${id}`, inputs: [], after, scope: "", priority: 0, meta: {} },
  wait: { ask: `${id}?` },
});
const questionOf = (id: number, refused?: string): HumanQuestion => ({
  ...{ run: "r1", activation: waitOf(id), ask: `${id}?`, shown: [], task: publicTask.parse({ id: "t", prompt: "p" }) },
  ...(refused === undefined ? {} : { refused }),
});
const { signal } = new AbortController();

/** Three questions: the first is answered, the second was asked, the third waits for it. */
function log(...more: EventBody[]) {
  const sample = new SampleLog();
  sample.add({ kind: "step", cause: { kind: "start" }, step: { start: [waitOf(0), waitOf(1), waitOf(2, [1])], cancel: [] } });
  sample
    .begin(0)
    .begin(1)
    .settle(0, { artifact: { kind: "text", text: "yes" } });
  for (const body of more) sample.add(body);
  return sample.events;
}

describe("answeringHuman()", () => {
  it("answers the first open question once, and leaves the others to somebody else", async () => {
    const other: Human = { ask: ({ activation }) => Promise.resolve(`other ${activation.id}`) };
    const human = answeringHuman("fine", log(), other);
    expect(await human.ask(questionOf(2), signal)).toBe("other 2");
    expect(await human.ask(questionOf(1), signal)).toBe("fine");
    expect(await human.ask(questionOf(1, "fine"), signal)).toBe("other 1");
  });

  it("says what was wrong with the answer where nobody else is", async () => {
    await expect(answeringHuman("fine", log(), undefined).ask(questionOf(1, "fine"), signal)).rejects.toMatchObject({
      code: "human_missing",
      message: expect.stringContaining(`"1?". "fine" is no answer to it. Nobody`),
    });
  });

  it("takes a question that failed because nobody could be asked for open", async () => {
    const error = { code: "human_missing", message: "nobody", retryable: false };
    const events = log({ kind: "activation.settled", activation: 1, state: "failed", error, usage: noUsage, seconds: 0 });
    expect(await answeringHuman("fine", events, undefined).ask(questionOf(1), signal)).toBe("fine");
  });

  it("refuses an answer that nobody waits for", () => {
    const artifact = new SampleLog().store.put({ kind: "text", text: "x" });
    const events = log({ kind: "activation.settled", activation: 1, state: "done", artifact, usage: noUsage, seconds: 0 });
    expect(() => answeringHuman("fine", events, undefined)).toThrow(expect.objectContaining({ code: "call_invalid" }));
  });
});
