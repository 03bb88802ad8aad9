import type { CompiledSequence } from "../compiled-topology.ts";
import { createAgentTable } from "./agent-table.ts";
import type { ProblemList } from "./problem-list.ts";
import { temperatureAt } from "./temperature-at.ts";
import { areSound, type TopologyParts } from "./topology-parts.ts";

/** Compiles the agents of a `fixed` director; undefined when problems keep them from being a list. */
export function compileSequence(parts: TopologyParts, list: ProblemList): CompiledSequence | undefined {
  const { file, cards, broken } = parts;
  const { agents = [], defaults } = file;
  if (file.agents === undefined && !broken.has("agents"))
    list.add({ path: ["agents"], message: "nobody acts", expected: "`agents`: the role cards that act in turn" });
  if (list.failed || !areSound(parts)) return undefined;
  const table = createAgentTable(cards);
  const sequence = Object.freeze(agents.map(table.nameOf));
  return Object.freeze({
    director: "fixed" as const,
    name: file.name,
    agents: table.agents,
    limits: Object.freeze({ ...file.limits }),
    bound: sequence.length,
    sequence,
    model: defaults.model,
    temperatures: Object.freeze(sequence.map((_, i) => temperatureAt(defaults.temperature, i, sequence.length - 1))),
  });
}
