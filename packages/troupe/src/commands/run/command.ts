import { buildCommand } from "@stricli/core";
import { limitFlags, textFlag, wholeFlag, worldFlags } from "../flags.ts";

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
      task: textFlag("What to make, in words", "text"),
      taskFile: textFlag("A file that says what to make", "file"),
      output: {
        kind: "enum",
        values: ["files", "text", "choice", "json"],
        brief: "What to make: a program in files, a text, one of --choices, or JSON; default files",
        optional: true,
      },
      choices: {
        kind: "parsed",
        parse: String,
        variadic: true,
        brief: "An option to choose from, once for each; makes --output choice",
        optional: true,
        placeholder: "option",
      },
      tasks: textFlag("A task set: starter, programs, a file or a folder (see docs/tasks.md)", "set"),
      only: textFlag("Only the task with this id", "id"),
      limit: wholeFlag("Only the first tasks of the set", "n"),
      seeds: wholeFlag("Runs of each task, with seeds from --seed (or 0) upwards; default 1", "n"),
      jobs: wholeFlag("Tasks that run at once; default 1", "n"),
      results: textFlag("A .jsonl file that keeps the results; what is in it does not run again", "file"),
      from: textFlag("Go on from the product of this run", "run"),
      out: textFlag("Folder for the product; default out/TOPOLOGY", "folder"),
      seed: wholeFlag("Seed of every random choice; default: drawn, and recorded", "n", { min: 0, max: 2 ** 32 - 1 }),
      ...limitFlags,
      ...worldFlags,
    },
  },
  docs: {
    brief: "Run a topology on a task",
    fullDescription: `Runs a topology on a task and writes the product into a folder; or runs topologies on a task set and prints how many products pass their hidden tests.

Examples:
  troupe run topologies/review-chain.yaml --task "A command-line unit converter with tests" --out out/converter
  troupe run topologies/review-chain.yaml --task "Which of these is a mammal?" --choices "a trout" --choices "a bat"
  troupe run topologies/review-chain.yaml --task "Explain in 100 words why the sky is blue" --output text
  troupe run topologies/review-chain.yaml --from last --task "Also convert temperatures"
  troupe run topologies/review-chain.yaml --tasks starter --limit 10
  troupe run topologies/single.yaml topologies/review-chain.yaml --tasks starter --seeds 3 --results out/starter.jsonl

Exit codes: 0 done, 1 the run failed, 2 the call or a file was wrong, 3 a limit ended it, 130 interrupted (go on with troupe resume).`,
  },
});
