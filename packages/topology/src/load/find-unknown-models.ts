import type { EdgeEntry, NodeEntry, Problem, TopologyFile } from "@troupe/schema";
import { graphPathOf, noCritic } from "../compile/card-uses.ts";
import type { CardTable } from "../compile/check-cards.ts";
import { workOf } from "../compile/edge-terms.ts";
import type { CompiledTopology } from "../compiled-topology.ts";
import { didYouMean } from "../yaml/did-you-mean.ts";
import { type DocumentPath, formatPath, type Source } from "../yaml/place.ts";
import { quote, quoteList } from "../yaml/quote.ts";

const most = 200;

/** What the models of a topology are looked up in. */
export interface ModelParts {
  readonly source: Source;
  readonly file: TopologyFile;
  /** Undefined when it has problems; then what only the graph tells is left out. */
  readonly graph: CompiledTopology | undefined;
  readonly cards: CardTable;
  /** Where the cards stand, by the path that the topology wrote. */
  readonly cardSources: ReadonlyMap<string, Source>;
}

/** An agent that will ask a model: its card, and what the topology says of its model in this place alone. */
interface Asker {
  readonly card: string | undefined;
  readonly model?: string | undefined;
  readonly path?: DocumentPath;
}

/** Where a model is named that an agent will ask, or that is limited. */
interface ModelUse {
  readonly model: string;
  readonly source: Source;
  readonly path: DocumentPath;
  readonly on?: "key";
}

/**
 * Finds the models that agents will really ask and nobody declares: a card's own counts only where the topology names no other.
 *
 * @param known Names that are declared.
 */
export function findUnknownModels(parts: ModelParts, known: readonly string[]): Problem[] {
  const found = new Map<string, Problem>();
  for (const { model, source, path, on = "value" } of listUses(parts)) {
    if (known.includes(model)) continue;
    const key = `${source.file} ${formatPath(path)}`;
    if (found.has(key)) continue;
    const expected = `one of ${quoteList(known)}, or a further entry under \`models:\` in troupe.yaml`;
    const message = `no model is declared as ${quote(model)}`;
    found.set(key, source.problem({ path, on, message, expected, code: "model_unknown", ...didYouMean(model, known) }));
    if (found.size === most) break;
  }
  return [...found.values()];
}

function* listUses(parts: ModelParts): Generator<ModelUse> {
  for (const asker of listAskers(parts)) {
    const use = useOf(asker, parts);
    if (use !== undefined) yield use;
  }
  const { source, file } = parts;
  for (const model of Object.keys(file.limits?.models ?? {})) yield { model, source, path: ["limits", "models", model], on: "key" };
}

/** The topology's word for a place wins over its defaults, and those over the card. */
function useOf({ card, model, path }: Asker, { source, file, cards, cardSources }: ModelParts): ModelUse | undefined {
  if (card === undefined || card === noCritic) return undefined;
  if (model !== undefined && path !== undefined) return { model, source, path };
  if (file.defaults.model !== undefined) return { model: file.defaults.model, source, path: ["defaults", "model"] };
  const found = cards.get(card);
  const place = cardSources.get(card);
  return found === undefined || found === "faulty" || place === undefined
    ? undefined
    : { model: found.model, source: place, path: ["model"] };
}

function* listAskers({ file, graph }: ModelParts): Generator<Asker> {
  if (file.director === "fixed") {
    for (const card of file.agents ?? []) yield { card };
    return;
  }
  yield* listAgents(file, file.defaults, []);
  const all = graph?.director === "graph" ? graph.edges.length : 0;
  const said = (file.edges ?? []).filter((edge) => typeof edge !== "string").length;
  if (all > said && file.defaults.rounds + file.defaults.targetRounds > 0) yield { card: file.defaults.critic };
  if (graph?.director === "graph" && graph.aggregator !== undefined) yield { card: file.defaults.aggregator };
}

/** Actors of nodes, critics that have rounds (others never ask), and those of graphs written in nodes. */
function* listAgents(
  graph: Pick<TopologyFile, "nodes" | "edges" | "shape">,
  defaults: TopologyFile["defaults"],
  base: DocumentPath,
): Generator<Asker> {
  const { nodes = [], edges = [], shape } = graph;
  for (const [i, node] of nodes.entries()) yield* listNode(node, defaults, [...base, "nodes", i]);
  if (shape !== undefined && shape.size > nodes.length) yield { card: defaults.actor };
  for (const [i, edge] of edges.entries()) {
    if (typeof edge === "string" || roundsOf(edge, defaults) === 0) continue;
    yield { card: edge.critic ?? defaults.critic, model: edge.model, path: [...base, "edges", i, "model"] };
  }
}

function* listNode(node: NodeEntry, defaults: TopologyFile["defaults"], path: DocumentPath): Generator<Asker> {
  const inner = node.graph ?? node.loop?.graph;
  if (workOf(node) === "agent") yield { card: node.agent ?? defaults.actor, model: node.model, path: [...path, "model"] };
  if (typeof inner === "object") yield* listAgents(inner, defaults, [...path, ...graphPathOf(node)]);
}

/** Rounds in which an edge's critic may judge. */
function roundsOf({ rounds, targetRounds }: EdgeEntry, defaults: TopologyFile["defaults"]): number {
  return (rounds ?? defaults.rounds) + (targetRounds ?? defaults.targetRounds);
}
