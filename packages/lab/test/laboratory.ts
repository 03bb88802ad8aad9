import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { type TaskRow, taskRow } from "@troupe/runtime";
import { noUsage } from "@troupe/schema";
import { type Experiment, loadExperiment, type LoadExperimentOptions } from "../src/experiment/load-experiment.ts";

/** A project folder with three topologies, a task set and an experiment. */
export interface Laboratory {
  readonly folder: string;
  write(path: string, content: string): string;
  /** Writes an experiment and loads it. */
  load(content: string, options?: Partial<LoadExperimentOptions>): Promise<Experiment>;
  remove(): void;
}

const card = "agent: 1\nname: solo\nkind: actor\ninstructions: Work.\n";
const single = "troupe: 1\nname: single\ndirector: fixed\nagents: [agents/solo.yaml]\n";
const chain =
  "troupe: 1\nname: chain\nshape: { kind: chain, size: 2 }\ndefaults: { actor: agents/solo.yaml, rounds: 0, temperature: 0.7 }\n";
const merger = "agent: 1\nname: merger\nkind: aggregator\ninstructions: Merge.\n";
const net =
  "troupe: 1\nname: net\nshape: { kind: mesh, size: 2 }\ndefaults: { actor: agents/solo.yaml, aggregator: agents/merger.yaml, rounds: 0, temperature: 0.7 }\n";

/** The least experiment on it. */
export const leastExperiment = `experiment: 1
name: least
tasks: { set: set.jsonl }
systems:
  - topology: topologies/single.yaml
  - topology: topologies/chain.yaml
`;

/** Makes a project folder for tests. */
export function newLaboratory(tasks: readonly string[] = ["a", "b", "c"]): Laboratory {
  const folder = mkdtempSync(join(tmpdir(), "troupe-lab-"));
  const write = (path: string, content: string): string => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
    return join(folder, path);
  };
  write("troupe.yaml", "models: {}\n");
  write("agents/solo.yaml", card);
  write("agents/merger.yaml", merger);
  write("topologies/net.yaml", net);
  write("topologies/single.yaml", single);
  write("topologies/chain.yaml", chain);
  const line = (id: string): string =>
    JSON.stringify({ id, prompt: id, output: "text", tags: [id], grader: { kind: "answer", answer: "4" } });
  write("set.jsonl", tasks.map(line).join("\n"));
  return {
    folder,
    write,
    load: (content, options = {}) =>
      loadExperiment(write("experiments/x.yaml", content), { signal: new AbortController().signal, ...options }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A row as a run would leave it. */
export function rowOf(topology: string, task: string, seed: number, more: Partial<TaskRow> = {}): TaskRow {
  const usage = { ...noUsage, calls: 2, inputTokens: 80, outputTokens: 20 };
  return taskRow.parse({ topology, task, seed, passed: true, reason: "", outcome: "completed", run: "r", usage, seconds: 1, ...more });
}
