import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { descendantsOf, startTimeOf, useFromPs, useOf } from "./process-tree.ts";

describe.skipIf(process.platform !== "linux")("descendantsOf()", () => {
  it("finds children of children, and nothing for a process that is gone", async () => {
    const child = spawn("/bin/sh", ["-c", "sleep 30 & echo ready; wait"], { stdio: ["ignore", "pipe", "ignore"], detached: true });
    await once(child.stdout, "data");
    const pid = child.pid ?? 0;
    expect(await descendantsOf(pid)).toHaveLength(1);
    const use = await useOf(pid);
    expect(use.pids).toHaveLength(2);
    expect(use.residentBytes).toBeGreaterThan(100_000);
    expect(await startTimeOf(pid)).toMatch(/^\d+$/);
    process.kill(-pid, "SIGKILL");
    await once(child, "close");
    expect(await descendantsOf(pid)).toEqual([]);
    expect(await startTimeOf(pid)).toBeUndefined();
  });
});

describe("useFromPs()", () => {
  it("sums a tree of processes in any order", () => {
    const table = "  30 20  100\n  10  1 1000\n  20 10   10\n  99  1 5000\n";
    const use = useFromPs(table, 10);
    expect(new Set(use.pids)).toEqual(new Set([10, 20, 30]));
    expect(use.residentBytes).toBe(1110 * 1024);
  });
});
