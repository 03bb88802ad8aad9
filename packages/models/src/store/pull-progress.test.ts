import type { Clock } from "@troupe/schema";
import { expect, test } from "vitest";
import { ProgressMeter, type PullProgress } from "./pull-progress.ts";

function setUp() {
  let now = 1000;
  const clock: Clock = { now: () => now, sleep: async () => undefined };
  const reports: PullProgress[] = [];
  const meter = new ProgressMeter(1000, clock, (progress) => reports.push(progress));
  const after = (ms: number, bytes: number, phase: PullProgress["phase"] = "downloading", detail?: string) => {
    now += ms;
    meter.step({ source: "hub", phase, bytes, ...(detail !== undefined && { detail }) });
  };
  return { reports, after };
}

test("ProgressMeter reports at most every 100 ms, but each change and the end", () => {
  const { reports, after } = setUp();
  after(0, 0, "connecting");
  after(1, 0);
  after(1, 10);
  after(1, 20);
  after(100, 30);
  after(1, 40, "downloading", "part 2 of 3");
  after(1, 1000, "downloading", "part 2 of 3");
  expect(reports.map((report) => report.bytes)).toEqual([0, 0, 30, 40, 1000]);
  expect(reports.every((report) => report.total === 1000)).toBe(true);
});

test("ProgressMeter measures the speed of what arrives, not of what was there", () => {
  const { reports, after } = setUp();
  after(0, 0, "checking");
  after(100, 500, "checking");
  after(100, 500);
  after(1000, 600);
  expect(reports.at(-1)).not.toHaveProperty("bytesPerSecond");
  after(1000, 700);
  expect(reports.at(-1)?.bytesPerSecond).toBe(100);
  after(1000, 0);
  expect(reports.at(-1)).not.toHaveProperty("bytesPerSecond");
  after(2000, 100);
  expect(reports.at(-1)?.bytesPerSecond).toBe(50);
});

test("ProgressMeter forgets old speed", () => {
  const { reports, after } = setUp();
  after(0, 0);
  for (let i = 1; i <= 10; i++) after(1000, i * 50);
  for (let i = 1; i <= 10; i++) after(1000, 500 + i * 10);
  expect(reports.at(-1)?.bytesPerSecond).toBe(10);
});
