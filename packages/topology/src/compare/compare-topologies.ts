import type { CompiledGraph, CompiledNode, CompiledTopology } from "../compiled-topology.ts";

/** One difference between two topologies. */
export interface TopologyChange {
  readonly thing: "topology" | "limit" | "agent" | "node" | "edge";
  /** Name of the agent, node or edge (`1→2`); empty for the topology and its limits. */
  readonly name: string;
  /** What of it; undefined: the thing itself is new or gone. */
  readonly field: string | undefined;
  readonly before: unknown;
  readonly after: unknown;
  /** Whether the graph itself is another one, and not only who works in it and how. */
  readonly structural: boolean;
}

type Fields = Readonly<Record<string, unknown>>;

/** What is compared of a thing: fields that say who works and how, and fields that follow from others. */
interface FieldKinds {
  readonly settings: ReadonlySet<string> | "all";
  readonly derived: ReadonlySet<string>;
}

const ofNode: FieldKinds = {
  settings: new Set(["agent", "model", "temperature", "profile"]),
  derived: new Set(["index", "id", "depth", "height"]),
};
const ofEdge: FieldKinds = {
  settings: new Set(["critic", "model", "rounds", "targetRounds", "profile"]),
  derived: new Set(["index", "from", "to", "rule"]),
};
const ofTopology: FieldKinds = {
  settings: new Set(["aggregator", "aggregatorModel", "groupSize", "groupTokens", "productTemperature", "model", "temperatures"]),
  derived: new Set(["name", "agents", "limits", "nodes", "edges", "outStart", "inDegree", "sources", "sinks", "bound"]),
};
const ofLimits: FieldKinds = { settings: "all", derived: new Set() };
const ofAgent: FieldKinds = {
  settings: new Set(["model", "instructions", "instructionsFor", "output", "tools", "turns", "temperature", "maxTokens"]),
  derived: new Set(["agent", "name", "description"]),
};

/**
 * The differences between two compiled topologies that matter to a run: names and descriptions don't, nor how the same graph was written.
 * Agents that only one of the two has show in the nodes and edges that name them.
 *
 * @example
 * compareTopologies(before, after); // [{ thing: "edge", name: "1→2", field: "rounds", before: 1, after: 2, structural: false }]
 */
export function compareTopologies(before: CompiledTopology, after: CompiledTopology): TopologyChange[] {
  const changes = compareFields({ thing: "topology", name: "" }, [before, after], ofTopology);
  changes.push(...compareFields({ thing: "limit", name: "" }, [before.limits, after.limits], ofLimits));
  for (const [name, card] of Object.entries(after.agents)) {
    const known = before.agents[name];
    if (known !== undefined) changes.push(...compareFields({ thing: "agent", name }, [known, card], ofAgent));
  }
  if (before.director === "graph" && after.director === "graph") changes.push(...compareGraphs(before, after));
  return changes;
}

/** @param within what names begin with: the node whose graph it is. */
function compareGraphs(before: CompiledGraph, after: CompiledGraph, within = ""): TopologyChange[] {
  const nodes = compareThings("node", [nodesOf(before, within), nodesOf(after, within)], ofNode);
  const edges = compareThings("edge", [edgesOf(before, within), edgesOf(after, within)], ofEdge);
  return [...nodes, ...edges, ...compareInner(before, after, within)];
}

/** The graphs in nodes that both have. */
function compareInner(before: CompiledGraph, after: CompiledGraph, within: string): TopologyChange[] {
  const bodies = new Map(before.nodes.map((node) => [node.id, bodyOf(node)]));
  return after.nodes.flatMap((node) => {
    const [was, is] = [bodies.get(node.id), bodyOf(node)];
    if (was === undefined || is === undefined) return [];
    const name = `${within}${node.id}/`;
    return [...compareFields({ thing: "node", name }, [was, is], ofTopology), ...compareGraphs(was, is, name)];
  });
}

function bodyOf({ work }: CompiledNode): CompiledGraph | undefined {
  return "body" in work ? work.body : undefined;
}

/** Without the graphs in them, which are compared by themselves. */
function nodesOf({ nodes }: CompiledGraph, within: string): Map<string, Fields> {
  return new Map(nodes.map((node) => [`${within}${node.id}`, { ...node, work: { ...node.work, body: bodyOf(node) !== undefined } }]));
}

/** What is said of many edges at once stands in an object of its own. */
function edgesOf({ nodes, edges }: CompiledGraph, within: string): Map<string, Fields> {
  return new Map(edges.map((edge) => [`${within}${nodes[edge.from]?.id}→${nodes[edge.to]?.id}`, { ...edge, ...edge.rule }]));
}

type Pair<Value> = readonly [before: Value, after: Value];

function compareThings(thing: "node" | "edge", [before, after]: Pair<Map<string, Fields>>, kinds: FieldKinds): TopologyChange[] {
  const changes: TopologyChange[] = [];
  for (const [name, fields] of before) {
    const now = after.get(name);
    if (now !== undefined) changes.push(...compareFields({ thing, name }, [fields, now], kinds));
    else changes.push({ thing, name, field: undefined, before: name, after: undefined, structural: true });
  }
  for (const name of after.keys())
    if (!before.has(name)) changes.push({ thing, name, field: undefined, before: undefined, after: name, structural: true });
  return changes;
}

function compareFields(
  of: Pick<TopologyChange, "thing" | "name">,
  [before, after]: Pair<object>,
  { settings, derived }: FieldKinds,
): TopologyChange[] {
  const [was, is] = [before as Fields, after as Fields];
  const changes: TopologyChange[] = [];
  for (const field of new Set([...Object.keys(was), ...Object.keys(is)])) {
    if (derived.has(field) || isSame(was[field], is[field])) continue;
    changes.push({ ...of, field, before: was[field], after: is[field], structural: settings !== "all" && !settings.has(field) });
  }
  return changes;
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));
}
