import { type AgentCard, agentCard, type Problem, topologyFile } from "@troupe/schema";
import { objectSource } from "../yaml/place.ts";
import type { YamlFile } from "../yaml/parse-document.ts";
import { checkValue, readYaml } from "../yaml/read-yaml.ts";
import { finishTopology, type LoadedTopology } from "./finish-topology.ts";

/**
 * Checks and compiles a topology given as plain objects, without any file.
 *
 * @param parts The topology, and its cards by the path that the topology writes.
 * @throws TroupeError `file_invalid` with all problems.
 * @example
 * bundleTopology({ file: { troupe: 1, name: "one", nodes: [{ id: "a", agent: "coder" }] }, cards: { coder: { … } } });
 */
export function bundleTopology({ file, cards }: { file: unknown; cards: Record<string, unknown> }): LoadedTopology {
  const source = objectSource("topology");
  const { value, found } = checkValue(topologyFile, file, source);
  return finishTopology({ source, raw: file, value, problems: found, ...checkCardObjects(cards) });
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
  const cardProblems: Problem[] = [];
  for (const [path, card] of Object.entries(cards)) {
    const { value, found } = checkValue(agentCard, card, objectSource(path));
    checked.set(path, value ?? "faulty");
    cardProblems.push(...found);
  }
  return { cards: checked, cardProblems };
}
