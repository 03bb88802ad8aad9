import { buildApplication, buildRouteMap, text_en } from "@stricli/core";
import { runCommand } from "./commands/run/command.ts";
import { exitCodeOfError } from "./exit-code.ts";
import { formatError } from "./format-error.ts";
import { version } from "./version.ts";

const routes = buildRouteMap({
  routes: { run: runCommand },
  docs: { brief: "A troupe of language-model agents working on one task" },
});

/** The command `troupe`; what a command does is loaded when it is called. */
export const app = buildApplication(routes, {
  name: "troupe",
  versionInfo: { currentVersion: version },
  scanner: { caseStyle: "allow-kebab-for-camel" },
  documentation: { caseStyle: "convert-camel-to-kebab", disableAnsiColor: false },
  determineExitCode: exitCodeOfError,
  localization: { loadText: () => ({ ...text_en, exceptionWhileRunningCommand: (thrown) => formatError(thrown) }) },
});
