import type { TopologyBundle, TopologyFile } from "@troupe/schema";
import type { CompiledTopology } from "../compiled-topology.ts";
import { objectSource } from "../yaml/place.ts";
import { listCardUses } from "./card-uses.ts";
import { checkCards } from "./check-cards.ts";
import { checkLimits } from "./check-limits.ts";
import { warnOfIdleParts } from "./warn-of-idle-parts.ts";
import { compileGraph } from "./compile-graph.ts";
import { compileSequence } from "./compile-sequence.ts";
import { checkPools } from "./profile-draw.ts";
import type { TopologyParts } from "./topology-parts.ts";
import { createProblemList, fileInvalid, type ProblemList } from "./problem-list.ts";

/**
 * Compiles a checked topology and its cards into a frozen, integer-indexed form that needs no files.
 * It is pure: equal bundles give equal results, and nothing is shared with the bundle. Typed arrays can't be frozen; treat them so.
 *
 * A node's `temperature` is its own or that of the schedule; a card's `temperature`, which wins over the schedule, is for
 * whoever runs the agent to apply.
 *
 * @throws TroupeError `file_invalid` when the bundle has a cycle, a missing card, or anything else that can't run.
 */
export function compileTopology(bundle: TopologyBundle): CompiledTopology {
  const list = createProblemList(objectSource(bundle.file.name));
  const { file, cards, profiles = {}, graphs = {} } = bundle;
  const tables = {
    cards: new Map(Object.entries(cards)),
    pools: new Map(Object.entries(profiles)),
    graphs: new Map(Object.entries(graphs).map(([path, inner]) => [path, { file: inner, source: objectSource(path) }])),
  };
  const compiled = compileParts({ file, ...tables, broken: new Set(), within: [] }, list);
  if (compiled === undefined) throw fileInvalid(file.name, list.all);
  return compiled;
}

/** Compiles a file; what is wrong is put on the list, and undefined returned if any of it is an error. */
export function compileParts(parts: TopologyParts, list: ProblemList): CompiledTopology | undefined {
  const { file, cards, pools, broken } = parts;
  checkPools(file, pools, list);
  checkCards(listCardUses(file), cards, list);
  checkLimits(file, cards, list);
  if (broken.has("director")) return undefined;
  checkDirector(file, list);
  warnOfIdleParts(file, broken, list);
  return file.director === "graph" ? compileGraph(parts, list) : compileSequence(parts, list);
}

/** Each director has keys of its own, which mean nothing to the other. */
function checkDirector(file: TopologyFile, list: ProblemList): void {
  const foreign = file.director === "graph" ? (["agents"] as const) : (["shape", "nodes", "edges"] as const);
  for (const key of foreign) {
    // A graph without nodes says so itself, with this among its hints.
    if (file[key] === undefined || (key === "agents" && file.shape === undefined && file.nodes === undefined)) continue;
    const expected = file.director === "graph" ? "`director: fixed`, or no `agents`" : "`director: graph`, or `agents` alone";
    list.add({ path: [key], on: "key", message: `\`${key}\` means nothing to the ${file.director} director`, expected });
  }
}
