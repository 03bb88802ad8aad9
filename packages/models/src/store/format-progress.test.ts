import fc from "fast-check";
import { expect, test } from "vitest";
import { formatBytes } from "./format-bytes.ts";
import { formatProgress } from "./format-progress.ts";
import type { PullProgress } from "./pull-progress.ts";

const half: PullProgress = { source: "hub", phase: "downloading", bytes: 503e6, total: 1117e6, bytesPerSecond: 32.1e6 };

test("formatProgress() shows bar, percent, megabytes, speed and remaining time", () => {
  expect(formatProgress(half, 80)).toBe("hub ██████████████░░░░░░░░░░░░░░░░░░  45 %   503/1117 MB   32.1 MB/s   0:20 left");
});

test("formatProgress() leaves out what does not fit", () => {
  expect(formatProgress(half, 30)).toBe("hub ███░░░  45 %   503/1117 MB");
  expect(formatProgress(half, 28)).toBe("hub  45 %   503/1117 MB");
  expect(formatProgress(half, 3)).toBe("hub");
  expect(formatProgress(half, 0)).toBe("");
});

test("formatProgress() says what it waits for, and shows no speed before it is known", () => {
  const { bytesPerSecond: _, ...unknown } = half;
  expect(formatProgress({ ...unknown, phase: "waiting", bytes: 0 }, 100)).toMatch(/ 0 % {2} {3}0\/1117 MB {2}another process.*waiting$/);
  expect(formatProgress({ ...half, bytesPerSecond: 0 }, 100)).not.toContain("left");
  expect(formatProgress({ ...half, bytesPerSecond: 1e5 }, 100)).toContain("  0.1 MB/s  1:42:20 left");
  expect(formatProgress({ ...half, detail: "part 3 of 22" }, 100)).toContain("part 3 of 22");
});

test("formatProgress() never is wider than asked", () => {
  const progress = fc.record({
    source: fc.constantFrom<PullProgress["source"]>("path", "store", "hub", "python-packages"),
    phase: fc.constantFrom<PullProgress["phase"]>("waiting", "checking", "connecting", "downloading"),
    bytes: fc.nat(2e9),
    total: fc.nat(2e9),
    bytesPerSecond: fc.nat(1e9),
    detail: fc.string(),
  });
  fc.assert(fc.property(progress, fc.nat(200), (p, width) => formatProgress(p, width).length <= width));
});

test.each([
  [0, "0 B"],
  [999, "999 B"],
  [98_362_432, "98 MB"],
  [12_345, "12 kB"],
  [1_117_320_768, "1.12 GB"],
])("formatBytes() writes %d", (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text);
});
