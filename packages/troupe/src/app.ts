import { buildApplication, buildRouteMap, text_en } from "@stricli/core";
import { checkCommand } from "./commands/check/command.ts";
import { doctorCommand } from "./commands/doctor/command.ts";
import { drawCommand } from "./commands/draw/command.ts";
import { experimentRoutes } from "./commands/experiment/command.ts";
import { initCommand } from "./commands/init/command.ts";
import { metricsCommand } from "./commands/metrics/command.ts";
import { modelsRoutes } from "./commands/models/command.ts";
import { profilesRoutes } from "./commands/profiles/command.ts";
import { replayCommand } from "./commands/replay/command.ts";
import { resumeCommand } from "./commands/resume/command.ts";
import { schemaCommand } from "./commands/schema/command.ts";
import { tasksRoutes } from "./commands/tasks/command.ts";
import { tryCommand } from "./commands/try/command.ts";
import { runCommand } from "./commands/run/command.ts";
import { runsRoutes } from "./commands/runs/command.ts";
import { showCommand } from "./commands/show/command.ts";
import { exitCodeOfError } from "./exit-code.ts";
import { formatError, formatWrongCall } from "./format-error.ts";
import { systemRefusal } from "./system-refusal.ts";
import { version } from "./version.ts";

const routes = buildRouteMap({
  routes: {
    run: runCommand,
    resume: resumeCommand,
    replay: replayCommand,
    runs: runsRoutes,
    show: showCommand,
    metrics: metricsCommand,
    try: tryCommand,
    check: checkCommand,
    draw: drawCommand,
    init: initCommand,
    doctor: doctorCommand,
    models: modelsRoutes,
    tasks: tasksRoutes,
    profiles: profilesRoutes,
    experiment: experimentRoutes,
    schema: schemaCommand,
  },
  docs: { brief: "A troupe of language-model agents working on one task" },
});

/** The command `troupe`; what a command does is loaded when it is called. */
export const app = buildApplication(routes, {
  name: "troupe",
  versionInfo: { currentVersion: version },
  scanner: { caseStyle: "allow-kebab-for-camel", allowArgumentEscapeSequence: true },
  documentation: { caseStyle: "convert-camel-to-kebab", onlyRequiredInUsageLine: true, disableAnsiColor: false },
  determineExitCode: (thrown) => systemRefusal(thrown)?.exit ?? exitCodeOfError(thrown),
  localization: {
    loadText: () => ({
      ...text_en,
      noCommandRegisteredForInput: (words) => formatWrongCall(text_en.noCommandRegisteredForInput(words), words.ansiColor),
      exceptionWhileParsingArguments: (thrown, color) => formatWrongCall(text_en.exceptionWhileParsingArguments(thrown, color), color),
      exceptionWhileRunningCommand: formatError,
      exceptionWhileLoadingCommandFunction: formatError,
    }),
  },
});
