import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { taskRow } from "@troupe/runtime";
import { afterEach, expect, it } from "vitest";
import { type AskedChat, startScriptedEndpoint } from "../support/scripted-endpoint.ts";
import { callTroupe, startTroupe, until } from "../support/troupe-process.ts";
import { root } from "../support/workspace.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

/** A project with an experiment: two systems on three tasks, each graded by a program in the real sandbox. */
async function newProject(answer: (asked: AskedChat) => string) {
  const endpoint = await startScriptedEndpoint((asked) => ({ text: answer(asked), wordMs: 20 }));
  const folder = mkdtempSync(join(tmpdir(), "troupe-experiment-"));
  cleanUps.push(endpoint.close, () => rmSync(folder, { recursive: true, force: true }));
  const models = { default: { endpoints: [endpoint.url], model: "scripted", tools: "text" } };
  writeFileSync(join(folder, "troupe.yaml"), JSON.stringify({ models, db: "runs.db", limits: { attempts: 1 } }));
  const task = (number: number): string =>
    JSON.stringify({
      ...{ id: `print-${number}`, prompt: `Print ${number}`, language: "python" },
      grader: {
        kind: "tests",
        files: [{ path: "test_hidden.py", content: `import main\nassert main.value == ${number}\n` }],
        command: { program: "python", args: ["test_hidden.py"] },
      },
    });
  writeFileSync(join(folder, "set.jsonl"), [1, 2, 3].map(task).join("\n"));
  const single = join(root, "topologies/single.yaml");
  writeFileSync(
    join(folder, "numbers.yaml"),
    `experiment: 1
name: numbers
tasks: { set: set.jsonl }
systems:
  - { name: one, topology: ${single}, limits: { calls: 9 } }
  - { name: other, topology: ${single}, overrides: { defaults: { temperature: 0.9 } } }
seeds: { from: 1, count: 2 }
jobs: 2
`,
  );
  return { folder, endpoint };
}

const program = (value: number): string => `main.py\n\`\`\`python\nvalue = ${value}\nprint(value)\n\`\`\`\n`;

it("troupe experiment run goes on after kill -9 without doing a finished run again, and ends with table and plot", async () => {
  const { folder, endpoint } = await newProject(() => program(2));
  const path = join(folder, "numbers/results.jsonl");
  const lines = (): string[] => (existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : []);
  const killed = startTroupe(["experiment", "run", "numbers.yaml"], folder);
  await until(() => lines().length >= 3);
  killed.signal("SIGKILL");
  await killed.ended;
  const before = lines();
  const asked = endpoint.asked.length;
  const { exit, stdout, stderr } = await callTroupe(["experiment", "run", "numbers.yaml"], folder);
  expect([exit, stderr]).toEqual([0, expect.stringContaining(`[${before.length + 1}/12] `)]);
  expect(stdout).toContain("| one | 2 / 6 | 33.3 % |");
  const rows = lines().map((line) => taskRow.parse(JSON.parse(line)));
  expect(new Set(rows.map(({ topology, task, seed }) => `${topology} ${task} ${seed}`)).size).toBe(rows.length);
  expect([rows.length, lines().slice(0, before.length)]).toEqual([12, before]);
  expect(rows.filter(({ passed }) => passed === true).map(({ task }) => task)).toEqual(Array.from({ length: 4 }, () => "print-2"));
  const calls = rows.slice(before.length).reduce((sum, { usage }) => sum + usage.calls, 0);
  expect(endpoint.asked.length - asked).toBe(calls);
  expect(readFileSync(join(folder, "numbers/table.md"), "utf8")).toContain("all 12 runs are done");
  expect(readFileSync(join(folder, "numbers/plot.svg"), "utf8")).toContain("33.3 %  (2 / 6)");
});
