import { buildCommand } from "@stricli/core";
import { dbFlag, jsonFlag, modelsFlag, switchFlag } from "../flags.ts";

/** `troupe doctor`: what is installed, what answers, what to do about the rest. */
export const doctorCommand = buildCommand({
  loader: async () => (await import("./doctor.ts")).doctor,
  parameters: {
    flags: {
      ...modelsFlag,
      ...dbFlag,
      ask: switchFlag("Also load embedded models and ask them for one word, as servers always are"),
      ...jsonFlag,
    },
  },
  docs: {
    brief: "Say what is installed, what answers, and what to do about the rest",
    fullDescription: `Checks everything that a run needs: Node, the project file, disk space, the database, the sandboxes, and every model.

Exit codes: 0 a run can start, 1 something that every run needs is missing.`,
  },
});
