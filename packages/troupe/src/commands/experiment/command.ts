import { buildCommand, buildRouteMap } from "@stricli/core";
import { jsonFlag, modelsFlag, textFlag, wholeFlag, worldFlags } from "../flags.ts";
import { wholeNumber } from "../read-number.ts";

const file = { kind: "tuple", parameters: [{ brief: "An experiment's file", parse: String, placeholder: "file" }] } as const;
const placeFlags = {
  tasks: textFlag("A task set in place of the one that the file names, such as a published one that lies elsewhere", "set"),
  out: textFlag("Folder of the results; default: named like the file, beside it", "folder"),
} as const;
const partFlags = {
  only: textFlag("Only systems with these names; `*` stands for any letters, commas separate several", "names"),
  sizes: {
    kind: "parsed",
    parse: (text: string) => text.split(",").map(wholeNumber({ min: 1 })),
    brief: "Of systems that vary `shape.size` only these sizes, such as 1,2,4",
    optional: true,
    placeholder: "sizes",
  },
  seeds: wholeFlag("Only the first so many seeds", "n"),
} as const;

const run = buildCommand({
  loader: async () => (await import("./run.ts")).runExperimentFile,
  parameters: {
    positional: file,
    flags: { ...placeFlags, ...partFlags, jobs: wholeFlag("Runs at once; default: as the file says", "n"), ...worldFlags },
  },
  docs: {
    brief: "Run what is left of an experiment, and write its table and plots",
    fullDescription: `Runs every system on every task with every seed, as the file says, and writes into the folder of results:
  results.jsonl  one line for each run; the same call goes on where it stops
  table.md       shares with intervals, exact tests, differences, tokens
  plot.svg       shares with intervals
  scaling.svg    of systems that vary in size: results against it

With --only, --sizes or --seeds only a part is run, and a later call goes on with the rest: rows are the same.
Lines in results.jsonl are those of \`troupe run --results\`: each of the two commands goes on with what the other did.
Lines that don't belong to the experiment, because its file was changed, are left out and stay.

Examples:
  troupe experiment run experiments/programs.yaml
  troupe experiment run experiments/humaneval.yaml --tasks path/to/HumanEval.jsonl --jobs 4
  troupe experiment run experiments/macnet-scaling.yaml --sizes 1,2,4 --seeds 1
  troupe experiment run my-experiment.yaml --out /tmp/trial

Exit codes: 0 done, 1 a model or the sandbox can't be had, 2 the call or a file was wrong, 3 the budget is used up, 130 interrupted (call it again).`,
  },
});

const report = buildCommand({
  loader: async () => (await import("./report.ts")).reportExperiment,
  parameters: { positional: file, flags: { ...placeFlags, ...modelsFlag, ...jsonFlag } },
  docs: {
    brief: "Write table and plots of what is done, without running anything",
    fullDescription: `Writes table.md and the plots from the lines that are there, also of an experiment that is not finished or still running.

Examples:
  troupe experiment report experiments/programs.yaml
  troupe experiment report experiments/programs.yaml --json`,
  },
});

const check = buildCommand({
  loader: async () => (await import("./check.ts")).checkExperiment,
  parameters: { positional: file, flags: { ...placeFlags, ...partFlags, ...modelsFlag, ...jsonFlag } },
  docs: {
    brief: "Validate an experiment with everything that it names",
    fullDescription: `Checks the file, its topologies with their cards, and its task set, shows all problems at once, and says how much is left to run and what that will probably use: the most activations times what one used so far, by size where systems vary in it.

Examples:
  troupe experiment check experiments/programs.yaml
  troupe experiment check experiments/macnet-scaling.yaml --sizes 1,2,4
  troupe schema experiment --out .troupe/experiment.schema.json

Exit codes: 0 it can be run, 2 it can't.`,
  },
});

/** `troupe experiment`: experiments as files. */
export const experimentRoutes = buildRouteMap({
  routes: { run, report, check },
  docs: { brief: "Compare systems: experiments with tables, plots and statistics" },
});
