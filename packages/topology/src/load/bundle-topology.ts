import { agentCard, profilePool, topologyFile } from "@troupe/schema";
import type { z } from "zod";
import { objectSource, type Source } from "../yaml/place.ts";
import type { YamlFile } from "../yaml/parse-document.ts";
import { checkValue, readYaml } from "../yaml/read-yaml.ts";
import { finishTopology, type LoadedTopology, type TopologyContext } from "./finish-topology.ts";
import type { NamedFiles } from "./load-named-files.ts";

/** A topology, and what it names by the path that it writes: cards, pools of profiles, and topologies that work at its nodes. */
export interface TopologyObjects {
  readonly file: unknown;
  readonly cards: Record<string, unknown>;
  readonly profiles?: Record<string, unknown> | undefined;
  readonly graphs?: Record<string, unknown> | undefined;
}

/**
 * Checks and compiles a topology given as plain objects, without any file.
 *
 * @throws TroupeError `file_invalid` with all problems; `model_unknown` when all that is wrong are models that nobody declares.
 * @example
 * bundleTopology({ file: { troupe: 1, name: "one", nodes: [{ id: "a", agent: "coder" }] }, cards: { coder: { … } } });
 */
export function bundleTopology({ file, cards, profiles, graphs }: TopologyObjects, context: TopologyContext = {}): LoadedTopology {
  const source = objectSource("topology");
  const { value, found } = checkValue(topologyFile, file, source);
  return finishTopology({ source, raw: file, value, problems: found, ...checkObjects({ cards, profiles, graphs }) }, context);
}

/**
 * Checks and compiles a topology given as YAML text, with its cards as plain objects.
 *
 * @throws TroupeError `file_invalid` with all problems, located in the text.
 */
export function parseTopology(file: YamlFile, cards: Record<string, unknown>): LoadedTopology {
  return finishTopology({ ...readYaml(topologyFile, file), ...checkObjects({ cards }) });
}

function checkObjects({ cards, profiles = {}, graphs = {} }: Omit<TopologyObjects, "file">) {
  const checked = checkAll(agentCard, cards);
  const pools = checkAll(profilePool, profiles);
  const inner = checkAll(topologyFile, graphs);
  const namedProblems = [...checked.problems, ...pools.problems, ...inner.problems];
  const table = [...inner.values].map(([path, topology]) => {
    return [path, topology === "faulty" ? topology : { file: topology, source: objectSource(path) }] as const;
  });
  return { cards: checked.values, cardSources: checked.sources, pools: pools.values, graphs: new Map(table), namedProblems };
}

function checkAll<S extends z.ZodType>(schema: S, objects: Record<string, unknown>): NamedFiles<z.output<S>> {
  const values = new Map<string, z.output<S> | "faulty">();
  const sources = new Map<string, Source>();
  const problems = Object.entries(objects).flatMap(([path, object]) => {
    const source = objectSource(path);
    const { value, found } = checkValue(schema, object, source);
    sources.set(path, source);
    values.set(path, value ?? "faulty");
    return found;
  });
  return { values, sources, problems };
}
