import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runEvent } from "@troupe/schema";
import { afterEach, describe, expect, it } from "vitest";
import { type AskedChat, type ScriptedEndpoint, type ScriptedReply, startScriptedEndpoint } from "../support/scripted-endpoint.ts";
import { callTroupe, isAlive, startTroupe, until } from "../support/troupe-process.ts";
import { root } from "../support/workspace.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** A project whose one model is a scripted endpoint. */
async function newProject(answer: (asked: AskedChat) => ScriptedReply, more: Record<string, unknown> = {}) {
  const endpoint = await startScriptedEndpoint(answer);
  const folder = mkdtempSync(join(tmpdir(), "troupe-system-"));
  cleanUps.push(endpoint.close, () => rmSync(folder, { recursive: true, force: true }));
  writeProject(folder, endpoint.url, more);
  return { endpoint, folder };
}

function writeProject(folder: string, url: string, more: Record<string, unknown> = {}): void {
  const models = { default: { endpoints: [url], model: "scripted", tools: "text", ...more } };
  writeFileSync(join(folder, "troupe.yaml"), JSON.stringify({ models, db: "runs.db", limits: { attempts: 1 } }));
}

const topology = (name: string): string => join(root, "topologies", `${name}.yaml`);
const program = (code: string): string => `main.py\n\`\`\`python\n${code}\n\`\`\`\n`;
const isCritic = ({ system }: AskedChat): boolean => system.includes("reviewer");
const run = (name: string): string[] => ["run", topology(name), "--task", "Print a number", "--out", "made"];

describe("troupe run", () => {
  it("makes a product with real parts, shows it again, and lists it", async () => {
    const { folder } = await newProject((asked) => ({
      text: isCritic(asked) ? "REVISE: Print 43." : program(`print(${40 + asked.number})`),
    }));
    const { exit, stdout, stderr } = await callTroupe(run("review-chain"), folder);
    expect([exit, stdout]).toEqual([0, "made\n"]);
    expect(stderr).toMatch(/Runs +✓ python main\.py/);
    const code = readFileSync(join(folder, "made/main.py"), "utf8");
    expect(code).toMatch(/^print\(4\d\)\n$/);
    const shown = await callTroupe(["show"], folder);
    expect(shown.stdout).toMatch(/✓ completed\n[\s\S]*critique → 2 +reviewer[\s\S]*revise: Print 43\./);
    expect((await callTroupe(["show", "--product"], folder)).stdout).toContain(code);
    expect((await callTroupe(["show", "--transcript"], folder)).stdout).toContain("answer:\n│ REVISE: Print 43.");
    expect((await callTroupe(["runs"], folder)).stdout).toMatch(/review-chain +Print a number +✓ completed/);
  });

  it("does not end with 0 when the product can't be written", async () => {
    const { folder } = await newProject(() => ({ text: program("print(42)") }));
    mkdirSync(join(folder, "made/main.py"), { recursive: true });
    writeFileSync(join(folder, "made/.troupe-product.json"), "{}");
    const { exit, stderr } = await callTroupe(run("single"), folder);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/The product can't be written into .*\[call_invalid\]/)]);
    expect((await callTroupe(["show", "--product", "elsewhere"], folder)).exit).toBe(0);
  });

  it("does not call a path that can't be written a fault", async () => {
    const { folder } = await newProject(() => ({ text: "" }));
    const { exit, stderr } = await callTroupe(["draw", topology("single"), "--out", "troupe.yaml/graph.svg"], folder);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/^troupe: E\w+: .*troupe\.yaml.* Name another path.*\[call_invalid\]\n$/)]);
  });

  it("takes no binary file for a task", async () => {
    const { folder } = await newProject(() => ({ text: "" }));
    writeFileSync(join(folder, "task.bin"), Uint8Array.of(0x7f, 0x45, 0, 0xff));
    const { exit, stderr } = await callTroupe(["run", topology("single"), "--task-file", "task.bin"], folder);
    expect([exit, stderr]).toEqual([2, expect.stringContaining("task.bin is not text in UTF-8. [file_unreadable]")]);
  });

  it("prints events as JSON lines, and the product last", async () => {
    const { folder } = await newProject(() => ({ text: program("print(42)") }));
    const { stdout } = await callTroupe([...run("single"), "--json"], folder);
    const lines = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(lines.pop()).toMatchObject({ kind: "product", folder: "made", check: { program: { ok: true } } });
    for (const line of lines) expect(runEvent.safeParse(line).error).toBeUndefined();
  });

  it("is interrupted in a call of a model, leaves nothing behind, and goes on later", async () => {
    let silent = false;
    const { folder, endpoint } = await newProject((asked) => ({ silent, text: isCritic(asked) ? "ACCEPT" : program("print(42)") }));
    const troupe = startTroupe(run("review-chain"), folder);
    await until(() => endpoint.asked.length === 1);
    silent = true;
    await until(() => endpoint.asked.length > 1 && endpoint.open > 0);
    const started = troupe.descendants();
    troupe.signal("SIGINT");
    expect(await troupe.ended).toBe(130);
    expect(troupe.stderr).toMatch(/interrupted by Ctrl-C. Go on with it: troupe resume \d{8}-\d{6}-\w{4} --out made\n$/);
    expect(started.filter(isAlive)).toEqual([]);
    await until(() => endpoint.open === 0);
    silent = false;
    const before = endpoint.asked.filter((asked) => !isCritic(asked)).length;
    const resumed = await callTroupe(["resume", "last", "--out", "made"], folder);
    expect([resumed.exit, resumed.stdout]).toEqual([0, "made\n"]);
    expect(resumed.stderr).toContain("1 activation done before");
    // Node 1 was done: only nodes 2 and 3 are still to be written.
    expect(endpoint.asked.filter((asked) => !isCritic(asked)).length - before).toBe(2);
  });

  it("is interrupted in the sandbox, and leaves no process", async () => {
    const { folder, endpoint } = await newProject(() => ({ text: program("while True:\n    pass") }));
    const troupe = startTroupe(run("single"), folder);
    await until(() => endpoint.asked.length === 1 && troupe.descendants().length > 0);
    const started = troupe.descendants();
    troupe.signal("SIGTERM");
    expect(await troupe.ended).toBe(130);
    expect(troupe.stderr).toContain("interrupted by SIGTERM");
    await until(() => !started.some(isAlive));
  });

  it("leaves at once when it is interrupted twice", async () => {
    const { folder, endpoint } = await newProject(() => ({ silent: true }));
    const troupe = startTroupe(run("single"), folder);
    await until(() => endpoint.asked.length === 1);
    troupe.signal("SIGINT");
    troupe.signal("SIGINT");
    expect(await troupe.ended).toBe(130);
  });

  it("ends quietly when nobody reads its output any more, and can be resumed", async () => {
    const { folder, endpoint } = await newProject(() => ({ text: program("print(42)"), wordMs: 100 }));
    const troupe = startTroupe([...run("single"), "--json"], folder);
    await until(() => endpoint.asked.length === 1);
    troupe.closeStdout();
    expect(await troupe.ended).toBe(130);
    expect(troupe.stderr).not.toMatch(/EPIPE|^ +at /m);
    expect((await callTroupe(["resume", "last", "--out", "made"], folder)).exit).toBe(0);
    const shown = startTroupe(["show", "--log"], folder);
    shown.closeStdout();
    expect(await shown.ended).toBe(0);
    expect(shown.stderr).toBe("");
  });

  it("ends with 3 at a limit and with 2 for a file with problems, which it shows in place", async () => {
    const { folder } = await newProject((asked) => ({ text: isCritic(asked) ? "ACCEPT" : program("print(42)") }));
    expect((await callTroupe([...run("review-chain"), "--limit-calls", "1"], folder)).exit).toBe(3);
    writeFileSync(join(folder, "bad.yaml"), "troupe: 1\nname: bad\nshap: { kind: chain, size: 2 }\n");
    const { exit, stderr } = await callTroupe(["run", "bad.yaml", "--task", "x"], folder);
    expect(exit).toBe(2);
    expect(stderr).toMatch(/bad\.yaml:3:1: error: .*shap[\s\S]*\^[\s\S]*shape[\s\S]*\[file_invalid\]/);
  });
});

describe("troupe run with a bad endpoint", () => {
  const garbage: ScriptedReply = { raw: "<html>It works!</html>" };
  const faults: [string, ScriptedReply, string][] = [
    ["401", { status: 401, text: '{"error":{"message":"bad key"}}' }, "model_unauthorized"],
    ["404", { status: 404, text: '{"error":{"message":"no such model"}}' }, "model_not_found"],
    ["429", { status: 429, text: '{"error":{"message":"slow down"}}' }, "model_rate_limited"],
    ["500", { status: 500, text: '{"error":{"message":"broken"}}' }, "model_failed"],
    ["garbage", garbage, "model_garbage"],
    ["half a stream", { text: "one two three four", cutAfter: 2 }, "model_"],
    ["silence", { silent: true }, "model_timeout"],
  ];

  it.each(faults)("says once and clearly what is wrong: %s", async (_name, reply, code) => {
    const { folder, endpoint } = await newProject(() => reply, { timeoutSeconds: 1 });
    await expectOneMessage(folder, endpoint.url, code);
  });

  it("says once and clearly that nobody answers", async () => {
    const { folder, endpoint } = await newProject(() => ({}));
    await endpoint.close();
    await expectOneMessage(folder, endpoint.url, "model_unreachable");
  });

  async function expectOneMessage(folder: string, url: ScriptedEndpoint["url"], code: string): Promise<void> {
    const { exit, stdout, stderr } = await callTroupe(run("single"), folder);
    expect([exit, stdout]).toEqual([1, ""]);
    const last = stderr.trimEnd().split("\n").at(-1) ?? "";
    expect(last).toMatch(new RegExp(`^The run failed: .*\\[${code}\\w*\\] .*troupe resume`));
    expect(last).toContain(new URL(url).host);
    expect(stderr).not.toMatch(/^ +at /m);
  }
});
