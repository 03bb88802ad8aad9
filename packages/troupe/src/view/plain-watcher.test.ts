import { createRunState, createVirtualClock } from "@troupe/engine";
import { describe, expect, it } from "vitest";
import { fakeStream } from "../../test/fake-context.ts";
import { SampleLog, sampleStart } from "../../test/sample-run.ts";
import { createPlainWatcher } from "./plain-watcher.ts";

/** A watcher that has seen all events of a log. */
function watch(log: SampleLog) {
  const out = fakeStream();
  const clock = createVirtualClock(sampleStart);
  const watcher = createPlainWatcher({ out, read: (ref) => log.store.get(ref), clock });
  const state = createRunState();
  for (const event of log.events) {
    state.apply(event);
    watcher.see(event, state);
  }
  return { out, clock, watcher, state };
}

describe("createPlainWatcher()", () => {
  it("prints a line for what a person wants to know", () => {
    const log = new SampleLog().firstNode();
    log.add({
      kind: "tool.used",
      activation: 2,
      attempt: 1,
      tool: "run_tests",
      input: "the tests\nmore",
      output: "",
      ok: false,
      seconds: 1,
    });
    const error = { code: "model_failed", message: "It \x1b[1mbroke.", retryable: true };
    log.add({ kind: "activation.retried", activation: 2, attempt: 1, error, delaySeconds: 2 });
    const { out, watcher } = watch(log);
    watcher.end();
    expect(out.text()).toMatchInlineSnapshot(`
      "run 20260301-140500-abcd: review-chain, seed 1
      ▸ #0 1 programmer
      ✓ #0 1 programmer done (400 tokens, 1.0 s): main.py
      ▸ #1 1→2 critique reviewer
      ✓ #1 1→2 critique reviewer done (520 tokens, 1.0 s): revise: It has no tests.
      ▸ #2 1→2 refine programmer
      ✓ #2 1→2 refine programmer done (400 tokens, 1.0 s): changed main.py; added test_main.py
        ✗ #2 1→2 refine programmer: run_tests the tests
      ↻ #2 1→2 refine programmer: It broke. Again in 2.0 s.
      "
    `);
  });

  it("says every half minute what still goes on when nothing happens", async () => {
    const log = new SampleLog();
    log.begin(log.start("programmer", { node: "1", step: "act" }, "1"));
    const { out, clock, watcher, state } = watch(log);
    const before = out.text().length;
    watcher.see({ kind: "call.delta", activation: 0, text: "x".repeat(184) }, state);
    await clock.advance(29_000);
    expect(out.text()).toHaveLength(before);
    await clock.advance(32_000);
    watcher.end();
    expect(out.text().slice(before)).toBe("  still #0 1 programmer, 30 s, 46 tokens\n  still #0 1 programmer, 1:00, 46 tokens\n");
    expect(clock.sleepers).toBe(0);
  });

  it("keeps its lines until the end of a pause", async () => {
    const { out, clock, watcher } = watch(new SampleLog());
    const before = out.text();
    const resume = watcher.pause();
    watcher.note("one");
    watcher.note("two");
    await clock.advance(90_000);
    expect(out.text()).toBe(before);
    resume();
    expect(out.text().slice(before.length)).toBe("one\ntwo\n");
    watcher.pause();
    watcher.note("three");
    watcher.end();
    expect(out.text().endsWith("three\n")).toBe(true);
  });

  it("says what a person is asked, and that there is no answer yet", async () => {
    const log = new SampleLog();
    const activation = { id: 0, kind: "wait" as const, label: "review", inputs: [], after: [], scope: "", priority: 0, meta: {} };
    const start = [{ ...activation, wait: { ask: "Good\nenough?" } }];
    log.add({ kind: "step", cause: { kind: "start" }, step: { start, cancel: [] } }).begin(0);
    const { out, clock, watcher } = watch(log);
    expect(out.text()).toContain("▸ #0 review asks a person: Good enough?\n");
    await clock.advance(31_000);
    watcher.end();
    expect(out.text()).toContain("  still #0 review, 30 s, no answer yet\n");
  });
});
