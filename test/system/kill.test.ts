import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { root } from "../support/workspace.ts";

interface KillReport {
  readonly kills: number;
  readonly runs: number;
  readonly wrongEnds: number;
  readonly activationsTwice: number;
  readonly answersTwice: number;
  readonly uncountedCalls: number;
}

function kill(...words: string[]): { status: number | null; report: KillReport } {
  const script = [join(root, "test/fault/kill.mjs"), "--json", ...words];
  const { status, stdout } = spawnSync(process.execPath, script, { encoding: "utf8" });
  return { status, report: JSON.parse(stdout) as KillReport };
}

it("kill.mjs finds that runs end right after 20 kills, with no activation done twice and no answer paid for twice", () => {
  const { status, report } = kill("--kills", "20");
  expect(report).toMatchObject({ kills: 20, wrongEnds: 0, activationsTwice: 0, answersTwice: 0, uncountedCalls: 0 });
  expect(report.runs).toBeGreaterThan(1);
  expect(status).toBe(0);
});

it.each([
  ["answers", "answersTwice"],
  ["calls", "uncountedCalls"],
  ["activations", "activationsTwice"],
] as const)("kill.mjs notices a store that forgets %s", (what, count) => {
  const { status, report } = kill("--kills", "20", "--at", "committed", "--break", what);
  expect(report[count]).toBeGreaterThan(0);
  expect(status).toBe(1);
});
