import { type AgentCard, agentCard, type Problem, topologyFile } from "@troupe/schema";
import { objectSource, type Source } from "../yaml/place.ts";
import type { YamlFile } from "../yaml/parse-document.ts";
import { checkValue, readYaml } from "../yaml/read-yaml.ts";
import { finishTopology, type LoadedTopology, type TopologyContext } from "./finish-topology.ts";

/**
 * Checks and compiles a topology given as plain objects, without any file.
 *
 * @param parts The topology, and its cards by the path that the topology writes.
 * @throws TroupeError `file_invalid` with all problems; `model_unknown` when all that is wrong are models that nobody declares.
 * @example
 * bundleTopology({ file: { troupe: 1, name: "one", nodes: [{ id: "a", agent: "coder" }] }, cards: { coder: { … } } });
 */
export function bundleTopology(
  { file, cards }: { file: unknown; cards: Record<string, unknown> },
  context: TopologyContext = {},
): LoadedTopology {
  const source = objectSource("topology");
  const { value, found } = checkValue(topologyFile, file, source);
  return finishTopology({ source, raw: file, value, problems: found, ...checkCardObjects(cards) }, context);
}

/**
 * Checks and compiles a topology given as YAML text, with its cards as plain objects.
 *
 * @throws TroupeError `file_invalid` with all problems, located in the text.
 */
export function parseTopology(file: YamlFile, cards: Record<string, unknown>): LoadedTopology {
  return finishTopology({ ...readYaml(topologyFile, file), ...checkCardObjects(cards) });
}

function checkCardObjects(cards: Record<string, unknown>) {
  const checked = new Map<string, AgentCard | "faulty">();
  const cardSources = new Map<string, Source>();
  const cardProblems: Problem[] = [];
  for (const [path, card] of Object.entries(cards)) {
    const source = objectSource(path);
    const { value, found } = checkValue(agentCard, card, source);
    cardSources.set(path, source);
    checked.set(path, value ?? "faulty");
    cardProblems.push(...found);
  }
  return { cards: checked, cardSources, cardProblems };
}
