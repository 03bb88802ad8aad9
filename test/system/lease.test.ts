import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { type AskedChat, type ScriptedReply, startScriptedEndpoint } from "../support/scripted-endpoint.ts";
import { callTroupe, startTroupe, type TroupeProcess, until } from "../support/troupe-process.ts";
import { root } from "../support/workspace.ts";

const cleanUps: (() => unknown)[] = [];
const started: TroupeProcess[] = [];
afterEach(async () => {
  for (const troupe of started.splice(0)) troupe.signal("SIGKILL");
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** A project whose one model is a scripted endpoint. */
async function newProject(answer: (asked: AskedChat) => ScriptedReply) {
  const endpoint = await startScriptedEndpoint(answer);
  const folder = mkdtempSync(join(tmpdir(), "troupe-lease-"));
  cleanUps.push(endpoint.close, () => rmSync(folder, { recursive: true, force: true }));
  const models = { default: { endpoints: [endpoint.url], model: "scripted", tools: "text" } };
  writeFileSync(join(folder, "troupe.yaml"), JSON.stringify({ models, db: "runs.db", limits: { attempts: 1 } }));
  return { endpoint, folder };
}

const run = ["run", join(root, "topologies", "review-chain.yaml"), "--task", "Print a number", "--out", "made"];

it("troupe resume is refused while another process works on the run, and goes on once that is killed", async () => {
  let silent = false;
  const { folder, endpoint } = await newProject(({ system }) => ({
    silent,
    text: system.includes("reviewer") ? "ACCEPT" : "main.py\n```python\nprint(42)\n```\n",
  }));
  const first = startTroupe(run, folder);
  started.push(first);
  await until(() => endpoint.asked.length === 1);
  silent = true;
  await until(() => endpoint.asked.length > 1 && endpoint.open > 0);
  const before = endpoint.asked.length;
  const refused = await callTroupe(["resume", "last", "--out", "made"], folder);
  expect(refused.exit).toBe(1);
  expect(refused.stderr).toMatch(
    /^troupe: Process \d+ on .+ has been working on run \S+ since \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC.*\[run_held\]$/m,
  );
  expect(endpoint.asked).toHaveLength(before);
  first.signal("SIGKILL");
  await first.ended;
  silent = false;
  const resumed = await callTroupe(["resume", "last", "--out", "made"], folder);
  expect([resumed.exit, resumed.stdout]).toEqual([0, "made\n"]);
  expect(resumed.stderr).toContain("1 activation done before");
  const log = await callTroupe(["show", "--log", "--json"], folder);
  const seqs = log.stdout
    .trimEnd()
    .split("\n")
    .map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(seqs).toEqual(Array.from(seqs, (_, index) => index));
});

it("troupe resume ends right after any number of kills, and troupe replay gets the same again", async () => {
  const { folder, endpoint } = await newProject(({ system, number }) => ({
    wordMs: 4,
    text: system.includes("reviewer") ? `REVISE: Print more than ${number}.` : `main.py\n\`\`\`python\nprint(${number})\n\`\`\`\n`,
  }));
  let words = run;
  for (const kill of [1, 2, 3, 4, 5]) {
    const troupe = startTroupe(words, folder);
    started.push(troupe);
    await until(() => endpoint.asked.length >= kill);
    // Somewhere in the call, in its logging or in the sandbox.
    await new Promise((resolve) => setTimeout(resolve, kill * 37));
    troupe.signal("SIGKILL");
    await troupe.ended;
    words = ["resume", "last", "--out", "made"];
  }
  const resumed = await callTroupe(words, folder);
  expect([resumed.exit, resumed.stdout]).toEqual([0, "made\n"]);
  const replayed = await callTroupe(["replay", "--json"], folder);
  const parts = replayed.stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(parts.at(-1)).toMatchObject({ kind: "replay", same: true, artifacts: 7, sameArtifacts: 7 });
  expect(replayed.exit).toBe(0);
});
