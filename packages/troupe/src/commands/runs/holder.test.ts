import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type FakeWorld, fakeWorld } from "../../../test/fake-world.ts";
import { SampleLog, sampleRun } from "../../../test/sample-run.ts";

let world: FakeWorld;
let lease = "";
beforeEach(() => {
  const { store } = new SampleLog();
  world = fakeWorld({ script: [], store });
  lease = store.acquire(sampleRun, Date.now());
});
afterEach(() => world.remove());

const who = `process ${process.pid} on this machine since 20`;

describe("while somebody works on a run", () => {
  it("troupe runs says who", async () => {
    const { stdout } = await world.call(["runs"]);
    expect(stdout).toMatch(/^run .* tokens +worked on by *\n/);
    expect(stdout).toMatch(new RegExp(`● running +0 +${who}`));
    const { holder } = JSON.parse((await world.call(["runs", "--json"])).stdout);
    expect(holder).toMatchObject({ pid: process.pid, host: "this machine" });
  });

  it("troupe show says who", async () => {
    const { stdout } = await world.call(["show"]);
    expect(stdout).toContain(`It is being worked on: ${who}`);
    expect(stdout).toContain(`Look again: troupe show ${sampleRun}`);
    expect(JSON.parse((await world.call(["show", "--json"])).stdout)).toMatchObject({ holder: { pid: process.pid } });
  });

  it("and no longer, neither says so", async () => {
    world.store.release(sampleRun, lease);
    expect((await world.call(["runs"])).stdout).toMatch(/◌ not ended +0\n$/);
    expect((await world.call(["show"])).stdout).toContain("nobody works on it. Go on with it: troupe resume");
    expect(JSON.parse((await world.call(["show", "--json"])).stdout)).toMatchObject({ holder: null });
  });
});
