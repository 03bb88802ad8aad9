import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { startScriptedEndpoint } from "../support/scripted-endpoint.ts";
import { callTroupe } from "../support/troupe-process.ts";
import { root } from "../support/workspace.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

it("troupe replay makes every artifact again from the log and the real sandbox, with the model gone", async () => {
  const endpoint = await startScriptedEndpoint(({ system, number }) => ({
    text: system.includes("reviewer")
      ? "REVISE: Print more."
      : `main.py\n\`\`\`python\nprint(${number})\nraise SystemExit(${number % 2})\n\`\`\`\n`,
  }));
  const folder = mkdtempSync(join(tmpdir(), "troupe-replay-"));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const models = { default: { endpoints: [endpoint.url], model: "scripted", tools: "text" } };
  writeFileSync(join(folder, "troupe.yaml"), JSON.stringify({ models, db: "runs.db" }));
  const topology = join(root, "topologies", "review-chain.yaml");
  await callTroupe(["run", topology, "--task", "Print a number", "--out", "made"], folder);
  await endpoint.close();
  const { exit, stdout, stderr } = await callTroupe(["replay"], folder);
  expect(stderr).toMatch(/^✓ #0 /m);
  expect(stdout).toMatch(/^7 of 7 artifacts came out byte-identical, 8 of 8 answers/);
  expect(stdout).toMatch(/\d+ tool uses ran again in the sandbox/);
  expect(exit).toBe(0);
});
