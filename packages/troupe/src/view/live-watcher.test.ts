import { createRunState, createVirtualClock } from "@troupe/engine";
import type { RunEvent } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { fakeStream } from "../../test/fake-context.ts";
import { SampleLog, sampleStart } from "../../test/sample-run.ts";
import { noColors } from "./colors.ts";
import { createLiveWatcher } from "./live-watcher.ts";

/** A watcher of a sample run on a fake terminal, told all events of the log. */
function watch(log: SampleLog, events: readonly RunEvent[] = log.events) {
  const out = fakeStream(true);
  const clock = createVirtualClock(sampleStart);
  const watcher = createLiveWatcher({ out, colors: noColors, read: (ref) => log.store.get(ref), clock });
  const state = createRunState();
  const tell = (told: readonly RunEvent[]) => {
    for (const event of told) {
      state.apply(event);
      watcher.see(event, state);
    }
  };
  tell(events);
  return { out, clock, watcher, state, tell };
}

/** How often a text occurs. */
const occurrences = (text: string, part: string): number => text.split(part).length - 1;

describe("createLiveWatcher()", () => {
  it("draws at most ten times a second, however much happens", async () => {
    const log = new SampleLog().firstNode();
    const { out, clock, watcher, state } = watch(log);
    for (let i = 0; i < 500; i++) watcher.see({ kind: "call.delta", activation: 0, text: "word " }, state);
    expect(out.text()).toBe("");
    await clock.advance(1000);
    expect(occurrences(out.text(), "review-chain")).toBe(10);
    watcher.end();
  });

  it("hides the cursor, gives it back once, and leaves the last frame", async () => {
    const { out, clock, watcher } = watch(new SampleLog().firstNode());
    await clock.advance(300);
    watcher.end();
    watcher.end();
    await clock.advance(1000);
    expect(occurrences(out.text(), "\x1b[?25l")).toBe(1);
    expect(out.text().endsWith("changed main.py; added test_main.py\x1b[K\n\x1b[J\x1b[?25h")).toBe(true);
    expect(clock.sleepers).toBe(0);
  });

  it("draws nothing while it pauses, and goes on below", async () => {
    const log = new SampleLog().firstNode();
    const { out, clock, watcher } = watch(log);
    await clock.advance(300);
    const resume = watcher.pause();
    const before = out.text();
    expect(before.endsWith("\x1b[J\x1b[?25h")).toBe(true);
    watcher.note("loading");
    await clock.advance(1000);
    expect(out.text()).toBe(before);
    resume();
    await clock.advance(100);
    expect(out.text().slice(before.length)).toMatch(/^\x1b\[\?25lreview-chain/);
    watcher.pause();
    watcher.end();
    expect(out.text().endsWith("changed main.py; added test_main.py\x1b[K\n\x1b[J\x1b[?25h")).toBe(true);
  });

  it("never moves up further than the terminal is high, also after a resize", async () => {
    const log = new SampleLog();
    for (let node = 1; node <= 40; node++) log.begin(log.start("programmer", { node: String(node), step: "act" }, String(node)));
    const { out, clock, watcher } = watch(log);
    out.rows = 12;
    await clock.advance(200);
    out.columns = 20;
    out.rows = 6;
    await clock.advance(100);
    watcher.end();
    const ups = [...out.text().matchAll(/\x1b\[(\d+)A/g)].map(([, up]) => Number(up));
    expect(ups.slice(0, 2)).toEqual([11, 5]);
    expect(Math.max(...ups)).toBeLessThan(12);
  });

  it("shows a note until a model writes", async () => {
    const log = new SampleLog();
    log.begin(log.start("programmer", { node: "1", step: "act" }, "1"));
    const { out, clock, watcher, state } = watch(log);
    watcher.note("loading\nthe \x1b[31mmodel");
    await clock.advance(100);
    expect(out.text()).toContain("loading the model");
    watcher.see({ kind: "call.delta", activation: 0, text: "import sys" }, state);
    await clock.advance(100);
    expect(out.text().slice(out.text().lastIndexOf("review-chain"))).not.toContain("loading");
    expect(out.text()).toContain("import sys");
    watcher.end();
  });

  it("draws nothing of a run that never began", async () => {
    const { out, clock, watcher } = watch(new SampleLog(), []);
    await clock.advance(500);
    watcher.end();
    expect(out.text()).toBe("");
  });

  it("does not fail when an artifact can't be read", async () => {
    const log = new SampleLog().firstNode();
    const { out, clock, watcher } = watch(log);
    log.store.close();
    await clock.advance(100);
    expect(out.text()).toContain("The artifact ");
    watcher.end();
  });
});
