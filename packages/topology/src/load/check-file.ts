import {
  type AgentCard,
  agentCard,
  type ExperimentFile,
  experimentFile,
  isTroupeError,
  type Problem,
  type ProfilePool,
  profilePool,
  type ProjectFile,
  projectFile,
} from "@troupe/schema";
import { describeTopology } from "../draw/describe-topology.ts";
import { parseDocument } from "../yaml/parse-document.ts";
import { objectSource } from "../yaml/place.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import { nodeFiles } from "./file-access.ts";
import { type LoadOptions, loadTopology } from "./load-topology.ts";
import { readSource } from "./read-source.ts";

/** What a file was found to be. */
export interface CheckedFile {
  readonly kind: "topology" | "agent" | "profiles" | "project" | "experiment" | "unknown";
  /** Errors and warnings; a file without errors can be used. */
  readonly problems: readonly Problem[];
  /** What the file declares, in a few lines; empty when it has errors. */
  readonly description: string;
}

/**
 * Checks a topology with all its cards, a role card, a pool of profiles, a troupe.yaml, or an experiment without what it names. What the file is, its keys tell.
 * It throws only when it is aborted: a missing file is a problem like any other.
 */
export async function checkFile(path: string, options: LoadOptions): Promise<CheckedFile> {
  try {
    const text = await readSource(path, options.files ?? nodeFiles, options.signal);
    const { raw, source, problems } = parseDocument({ path, text });
    const kind = kindOf(raw, path);
    switch (kind) {
      case "topology": {
        const { graph, warnings } = await loadTopology(path, options);
        return { kind, problems: warnings, description: describeTopology(graph) };
      }
      case "agent":
        return checked(kind, readYaml(agentCard, { path, text }), describeCard);
      case "profiles":
        return checked(kind, readYaml(profilePool, { path, text }), describePool);
      case "project":
        return checked(kind, readYaml(projectFile, { path, text }), describeProject);
      case "experiment":
        return checked(kind, readYaml(experimentFile, { path, text }), describeExperiment);
      case "unknown":
        return { kind, problems: problems.length > 0 ? problems : [source.problem({ path: [], ...unknownFile })], description: "" };
    }
  } catch (error) {
    if (!isTroupeError(error)) throw error;
    const { code, problems, message } = error;
    const all = problems.length > 0 ? problems : [objectSource(path).problem({ path: [], message, code })];
    return { kind: problems.length > 0 ? "topology" : "unknown", problems: all, description: "" };
  }
}

const unknownFile = {
  message: "it can't be told what this file is",
  expected:
    "`troupe: 1` in a topology, `agent: 1` in a role card, `pool: 1` in a pool of profiles, `experiment: 1` in an experiment, or `models` in troupe.yaml",
};

const markers = {
  topology: ["troupe", "shape", "nodes", "edges", "director"],
  agent: ["agent", "instructions"],
  profiles: ["pool", "profiles"],
  project: ["models", "sandbox", "db"],
  experiment: ["experiment", "systems"],
};

function kindOf(raw: unknown, path: string): CheckedFile["kind"] {
  if (typeof raw !== "object" || raw === null) return "unknown";
  for (const kind of ["topology", "agent", "profiles", "project", "experiment"] as const) {
    if (markers[kind].some((key) => Object.hasOwn(raw, key))) return kind;
  }
  return /(^|[\\/])troupe\.ya?ml$/.test(path) ? "project" : "unknown";
}

function checked<T>(
  kind: CheckedFile["kind"],
  { value, problems }: { value: T | undefined; problems: readonly Problem[] },
  describe: (value: T) => string,
): CheckedFile {
  return { kind, problems, description: value === undefined ? "" : describe(value) };
}

function describeCard({ name, kind, model, tools, turns }: AgentCard): string {
  return `${name}: ${kind}, model ${model}, ${tools.length === 0 ? "no tools" : `tools ${tools.join(", ")}`}, at most ${turns} model calls`;
}

function describePool({ name, profiles }: ProfilePool): string {
  return `${name}: ${profiles.length === 1 ? "1 profile" : `${profiles.length} profiles`}`;
}

function describeExperiment({ name, systems }: ExperimentFile): string {
  return `${name}: ${systems.length === 1 ? "1 system" : `${systems.length} systems`}; what it names is checked by troupe experiment check`;
}

function describeProject({ models, sandbox }: ProjectFile): string {
  const names = Object.entries(models).map(([name, model]) => `${name} (${"embedded" in model ? model.embedded : model.model})`);
  return `models: ${names.length === 0 ? "none, the embedded default" : names.join(", ")}; sandbox: ${sandbox}`;
}
