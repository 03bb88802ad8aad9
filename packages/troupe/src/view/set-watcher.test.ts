import { createVirtualClock } from "@troupe/engine";
import type { TaskRow } from "@troupe/runtime";
import { noUsage } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { fakeStream } from "../../test/fake-context.ts";
import { SampleLog } from "../../test/sample-run.ts";
import { noColors } from "./colors.ts";
import { SetWatcher } from "./set-watcher.ts";

const row: TaskRow = {
  ...{ topology: "single.yaml", task: "slugify", seed: 3, passed: true, reason: "All hidden tests passed." },
  ...{ outcome: "completed", run: "20260301-140500-abcd", usage: { ...noUsage, inputTokens: 1200 }, seconds: 12 },
};
const taskRun = { topology: "single.yaml", seed: 3, task: { id: "slugify" } as never };

function newWatcher(live: boolean) {
  const out = fakeStream(live);
  const clock = createVirtualClock();
  return { out, clock, watcher: new SetWatcher({ out, colors: noColors, total: 5, before: 1, live, clock }) };
}

describe("SetWatcher", () => {
  it("prints each row with the time that the rest will take", async () => {
    const { out, clock, watcher } = newWatcher(false);
    await clock.advance(60_000);
    watcher.done(row);
    watcher.done({ ...row, passed: false, reason: "A \x1b[31mtest\nfailed." });
    watcher.end();
    expect(out.text().split("\n")).toEqual([
      "[2/5] ✓ single.yaml slugify seed 3: All hidden tests passed. (1.2k tokens, 12 s, 20260301-140500-abcd) · about 3:00 left",
      "[3/5] ✗ single.yaml slugify seed 3: A test failed. (1.2k tokens, 12 s, 20260301-140500-abcd) · about 1:00 left",
      "",
    ]);
  });

  it("goes by how much work runs are, not by their number", async () => {
    const { out, clock } = newWatcher(false);
    const work = { left: 110, of: ({ topology }: TaskRow) => (topology === "single.yaml" ? 10 : 100) };
    const watcher = new SetWatcher({ out, colors: noColors, total: 2, before: 0, live: false, clock, work });
    await clock.advance(30_000);
    watcher.done(row);
    watcher.done({ ...row, topology: "mesh.yaml" });
    watcher.end();
    expect(out.text()).toMatch(/^\[1\/2\] .* · about 5:00 left\n\[2\/2\] .*\)\n$/);
  });

  it("says what of a budget is used, and how long it will last when that is less than what is left", async () => {
    const { out, clock } = newWatcher(false);
    let share = 0.9;
    const watcher = new SetWatcher({ out, colors: noColors, total: 9, before: 0, live: false, clock, budget: () => share });
    await clock.advance(60_000);
    watcher.done(row);
    share = 0.6;
    watcher.done(row);
    share = 0.1;
    watcher.done(row);
    watcher.end();
    expect(out.text().match(/ · \d+ % .*$/gm)).toEqual([
      " · 10 % of the budget · about 8:00 left",
      " · 40 % of the budget · about 2:00 until it is used up",
      " · 90 % of the budget · about 7.5 s until it is used up",
    ]);
  });

  it("draws a line of what runs now below the rows, and takes it away at the end", async () => {
    const { out, clock, watcher } = newWatcher(true);
    watcher.start(taskRun);
    const log = new SampleLog();
    log.begin(log.start("programmer", { node: "1", step: "act" }, "1"));
    for (const event of log.events) watcher.see(taskRun, event);
    await clock.advance(1000);
    expect(out.text()).toContain("[1/5] 1 running · single.yaml slugify seed 3: 1 programmer, 1.0 s");
    watcher.done(row);
    watcher.end();
    expect(out.text()).toContain("\x1b[1A\r\x1b[J[2/5] ✓ single.yaml slugify");
    expect(out.text().endsWith("\x1b[J\x1b[?25h")).toBe(true);
    expect(clock.sleepers).toBe(0);
  });
});
