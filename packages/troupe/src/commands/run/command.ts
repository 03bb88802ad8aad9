import { buildCommand, numberParser } from "@stricli/core";
import { limitFlags, worldFlags } from "../flags.ts";

const text = (brief: string, placeholder: string) => ({ kind: "parsed", parse: String, brief, optional: true, placeholder }) as const;
const number = (brief: string, placeholder: string) =>
  ({ kind: "parsed", parse: numberParser, brief, optional: true, placeholder }) as const;

/** `troupe run`: a topology on a task, or topologies on a set of tasks. */
export const runCommand = buildCommand({
  loader: async () => (await import("./run.ts")).run,
  parameters: {
    positional: {
      kind: "array",
      minimum: 1,
      parameter: { brief: "A topology file; with --tasks also several, which are compared", parse: String, placeholder: "topology" },
    },
    flags: {
      task: text("What to make, in words", "text"),
      taskFile: text("A file that says what to make", "file"),
      tasks: text("A task set: starter, programs, or a file (see docs/tasks.md)", "set"),
      only: text("Only the task with this id", "id"),
      limit: number("Only the first tasks of the set", "n"),
      seeds: number("Runs of each task, with seeds from --seed (or 0) upwards; default 1", "n"),
      jobs: number("Tasks that run at once; default 1", "n"),
      results: text("A .jsonl file that keeps the results; what is in it does not run again", "file"),
      from: text("Go on from the product of this run", "run"),
      out: text("Folder for the product; default out/TOPOLOGY", "folder"),
      seed: number("Seed of every random choice; default: drawn, and recorded", "n"),
      ...limitFlags,
      ...worldFlags,
    },
  },
  docs: {
    brief: "Run a topology on a task",
    fullDescription: `Runs a topology on a task and writes the product into a folder; or runs topologies on a task set and prints how many products pass their hidden tests.

Examples:
  troupe run topologies/review-chain.yaml --task "A command-line unit converter with tests" --out out/converter
  troupe run topologies/review-chain.yaml --from last --task "Also convert temperatures"
  troupe run topologies/review-chain.yaml --tasks starter --limit 10
  troupe run topologies/single.yaml topologies/review-chain.yaml --tasks starter --seeds 3 --results out/starter.jsonl

Exit codes: 0 done, 1 the run failed, 2 the call or a file was wrong, 3 a limit ended it, 130 interrupted (go on with troupe resume).`,
  },
});
