import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { runStarted } from "../support/run-events.ts";

// Fills a small disk, then says how far it came, what is left, and what a second opening finds.
const program = `
  const { openStore } = await import(process.argv[1]);
  const store = openStore("/mnt/runs.db");
  const report = { appended: 1 };
  try {
    store.append("one", [JSON.parse(process.argv[2])], 0);
    for (;;) {
      store.append("one", [{ kind: "notice", notice: { topic: "t", scope: "", data: "x".repeat(20000) } }], report.appended);
      report.appended++;
    }
  } catch (error) {
    report.code = error.code;
  }
  store.close();
  const again = openStore("/mnt/runs.db");
  report.found = again.events("one").length;
  again.close();
  console.log(JSON.stringify(report));
`;

const hasBubblewrap = spawnSync("bwrap", ["--dev-bind", "/", "/", "true"]).status === 0;

it.skipIf(!hasBubblewrap).each([200_000, 1_500_000])("openStore() on a disk of %d bytes ends with disk_full and loses nothing", (size) => {
  const library = new URL("../../packages/store/dist/index.js", import.meta.url).href;
  const disk = ["--dev-bind", "/", "/", "--size", String(size), "--tmpfs", "/mnt"];
  const script = ["--input-type=module", "-e", program, library, JSON.stringify(runStarted("one"))];
  const { stdout, stderr } = spawnSync("bwrap", [...disk, process.execPath, ...script], { encoding: "utf8" });
  expect(stderr).toBe("");
  const report: unknown = JSON.parse(stdout);
  expect(report).toMatchObject({ code: "disk_full" });
  const { appended, found } = report as { appended: number; found: number };
  expect(found).toBe(appended);
  expect(found).toBeGreaterThan(1);
});

it.skipIf(!hasBubblewrap).each([80_000, 200_000, 320_000])(
  "a run whose disk is full after %d bytes ends as failed, and goes on without any loss once there is room",
  (free) => {
    const disk = ["--dev-bind", "/", "/", "--size", "4000000", "--tmpfs", "/mnt"];
    const script = new URL("../fault/full-disk.mjs", import.meta.url).pathname;
    const { stdout, stderr } = spawnSync("bwrap", [...disk, process.execPath, script, "/mnt", String(free)], { encoding: "utf8" });
    expect(stderr).toBe("");
    const report = JSON.parse(stdout) as { kept: number };
    expect(report).toMatchObject({
      first: { kind: "failed", error: { code: "disk_full", message: expect.stringContaining("Make room and resume the run") } },
      resumed: "completed",
      faults: { wrongEnds: 0, activationsTwice: 0, answersTwice: 0, uncountedCalls: 0 },
    });
    expect(report.kept).toBeGreaterThan(0);
  },
);
