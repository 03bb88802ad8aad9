import { foldLog } from "@troupe/engine";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { SampleLog, usageOf } from "../../test/sample-run.ts";
import { ActivationTexts } from "./activation-texts.ts";
import { noColors } from "./colors.ts";
import { type FrameOptions, renderFrame } from "./render-frame.ts";

/** A frame of a log as one text; deltas are what running activations write. */
function frameOf(log: SampleLog, options: Partial<FrameOptions> = {}, deltas: Record<number, string> = {}): string {
  const state = foldLog(log.events);
  const texts = new ActivationTexts((ref) => log.store.get(ref), state);
  for (const [id, text] of Object.entries(deltas)) texts.see({ kind: "call.delta", activation: Number(id), text }, state);
  return renderFrame(state, { columns: 100, rows: 30, now: log.now, texts, colors: noColors, live: true, ...options }).join("\n");
}

/** Two nodes, the second one being written. */
function halfWay(): SampleLog {
  const log = new SampleLog({ tokens: 20_000, seconds: 900 }).firstNode();
  log.begin(log.start("programmer", { node: "2", from: "1", to: "2", step: "develop" }, "1→2 develop"));
  log.start("tester", {}, "tester");
  return log;
}

describe("renderFrame()", () => {
  it("shows the header, each node's activations and what is being written", () => {
    expect(frameOf(halfWay(), { note: "loading the model" }, { 3: "import sys\n\ndef convert(value):\n" })).toMatchInlineSnapshot(`
      "review-chain  20260301-140500-abcd
      A command-line unit converter with tests
      3 of 5 done, 1 running · 9.0 s of 15:00 (1 %) · 1.3k of 20k tokens (7 %) · 3 calls
      loading the model
      1
        ✓ act           programmer  400  3.0 s  main.py
        ✓ critique → 2  reviewer    520  3.0 s  revise: It has no tests.
        ✓ refine → 2    programmer  400  3.0 s  changed main.py; added test_main.py
      ⠋ 2 develop ← 1   programmer   ~8  0.0 s
          def convert(value):
      ○ tester          tester"
    `);
  });

  it("folds nodes that are done when the terminal is low", () => {
    expect(frameOf(halfWay(), { rows: 7 }, { 3: "def convert(value):" })).toMatchInlineSnapshot(`
      "review-chain  20260301-140500-abcd
      A command-line unit converter with tests
      3 of 5 done, 1 running · 9.0 s of 15:00 (1 %) · 1.3k of 20k tokens (7 %) · 3 calls
      ✓ 1              3 activations  1.3k  9.0 s  changed main.py; added test_main.py
      ⠋ 2 develop ← 1  programmer       ~5  0.0 s
          def convert(value):
      ○ tester         tester"
    `);
  });

  it("shows how a run ended, and what was made", () => {
    const log = new SampleLog().firstNode();
    const artifact = log.events.findLast((event) => event.kind === "activation.settled")?.artifact;
    if (artifact === undefined) throw new Error("no artifact");
    log.add({ kind: "run.ended", outcome: { kind: "completed", artifact }, usage: usageOf(1100, 220), seconds: 12 });
    expect(frameOf(log, { live: false, rows: Number.POSITIVE_INFINITY })).toMatchInlineSnapshot(`
      "review-chain  20260301-140500-abcd  ✓ completed
      A command-line unit converter with tests
      3 of 3 done · 12 s · 1.3k tokens · 3 calls
      1
        ✓ act           programmer  400  3.0 s  main.py
        ✓ critique → 2  reviewer    520  3.0 s  revise: It has no tests.
        ✓ refine → 2    programmer  400  3.0 s  changed main.py; added test_main.py"
    `);
  });

  it("says why an activation failed, and marks what was interrupted", () => {
    const log = new SampleLog().firstNode();
    const failed = log.start("programmer", { node: "2", from: "1", to: "2", step: "develop" }, "1→2 develop");
    log.begin(failed).settle(failed, { error: "It answered\nonly prose." });
    log.begin(log.start("merger", { node: "", step: "merge" }, "product merge"));
    expect(frameOf(log, { live: false })).toMatchInlineSnapshot(`
      "review-chain  20260301-140500-abcd
      A command-line unit converter with tests
      4 of 5 done, 1 not ended, 1 failed · 10 s · 1.3k tokens · 3 calls
      1
        ✓ act           programmer  400  3.0 s  main.py
        ✓ critique → 2  reviewer    520  3.0 s  revise: It has no tests.
        ✓ refine → 2    programmer  400  3.0 s  changed main.py; added test_main.py
      ✗ 2 develop ← 1   programmer    0  1.0 s  It answered only prose.
      ◌ product merge   merger        0  0.0 s"
    `);
  });

  it("counts what does not fit", () => {
    const log = new SampleLog();
    for (let node = 1; node <= 40; node++) log.begin(log.start("programmer", { node: String(node), step: "act" }, String(node)));
    const lines = frameOf(log, { rows: 12 }).split("\n");
    expect(lines).toHaveLength(12);
    expect(lines.at(-1)).toBe("+32 more");
  });

  it("starts a spinner that goes on with the time", () => {
    const log = halfWay();
    expect(frameOf(log, { now: log.now + 100 })).not.toBe(frameOf(log, { now: log.now }));
  });

  it("never has more lines or wider ones than the terminal, whatever is written", () => {
    const log = halfWay();
    const text = fc.string({ unit: fc.constantFrom("a", "世", "\x1b[2J", "\n", "\t", "👩‍💻", " ", "\x9b31m"), maxLength: 300 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 120 }), fc.integer({ min: 1, max: 30 }), text, (columns, rows, written) => {
        const lines = frameOf(log, { columns, rows }, { 3: written }).split("\n");
        expect(lines.length).toBeLessThanOrEqual(rows);
        for (const line of lines) {
          expect(stringWidth(line)).toBeLessThanOrEqual(columns);
          expect(line).not.toMatch(/\p{Cc}/u);
        }
      }),
    );
  });
});
