import fc from "fast-check";
import {
  type BodySpec,
  type ConditionSpec,
  conditions,
  type DefaultsSpec,
  type EdgeSpec,
  type GraphSpec,
  type NodeSpec,
  usageConditions,
  type WorkSpec,
} from "./graph-spec.ts";

/** What a random graph is made of: numbers that shrink to plain things. */
const edgeGene = fc.record({ parent: fc.nat(7), way: fc.nat(9), when: fc.nat(19), critic: fc.nat(5) });
const nodeGene = fc.record({ kind: fc.nat(13), extra: fc.nat(11), edges: fc.array(edgeGene, { maxLength: 3 }) });
const graphGene = (most: number) => fc.array(nodeGene, { minLength: 1, maxLength: most });
const genes = fc.record({
  outer: graphGene(6),
  inline: fc.tuple(graphGene(3), graphGene(3)),
  middle: graphGene(3),
  leaf: graphGene(2),
  defaults: fc.record({
    critic: fc.boolean(),
    rounds: fc.integer({ min: 1, max: 2 }),
    groupSize: fc.integer({ min: 2, max: 4 }),
    history: fc.boolean(),
    tokens: fc.nat(3),
  }),
});

type EdgeGene = { parent: number; way: number; when: number; critic: number };
type NodeGene = { kind: number; extra: number; edges: EdgeGene[] };

/** How a graph is made of genes. */
interface Level {
  /** Whether its sources have the task alone to begin with. */
  readonly isOutermost: boolean;
  /** Whether joins and votes may end early, so that who is faster matters. */
  readonly early: boolean;
  readonly defaults: DefaultsSpec;
  /** Graphs that its nodes may hold. */
  readonly bodies: readonly BodySpec[];
}

/** Random small graphs over the whole language. With `early`, joins and votes may go on before all is there. */
export function graphSpecs(early: boolean): fc.Arbitrary<GraphSpec> {
  return genes.map(({ outer, inline, middle, leaf, defaults: { tokens, ...rest } }) => {
    const defaults: DefaultsSpec = early && tokens === 3 ? { ...rest, groupTokens: 5 } : rest;
    const own = { ...rest, critic: !rest.critic };
    const level = { isOutermost: false, early, defaults };
    const leafBody = { file: "leaf.yaml", graph: toGraph(leaf, { ...level, defaults: own, bodies: [] }) };
    const middleBody = { file: "middle.yaml", graph: toGraph(middle, { ...level, defaults: own, bodies: [leafBody] }) };
    const inner = inline.map((genes): BodySpec => ({ graph: toGraph(genes, { ...level, bodies: [middleBody, leafBody] }) }));
    return toGraph(outer, { ...level, isOutermost: true, bodies: [...inner, middleBody] });
  });
}

function toGraph(genes: readonly NodeGene[], level: Level): GraphSpec {
  const parents = genes.map((gene, i) => parentsOf(gene, i));
  for (const [i, edges] of parents.entries()) {
    const isTouched = edges.length > 0 || parents.some((others) => others.some(({ parent }) => parent === i));
    if (!isTouched && parents.length > 1) (parents[Math.max(1, i)] as EdgeGene[]).push({ parent: 0, way: 0, when: 0, critic: 0 });
  }
  const works = genes.map((gene, i) => toWork(gene, parents[i]?.length ?? 0, level));
  const edges: EdgeSpec[] = [];
  const nodes = genes.map((gene, to): NodeSpec => {
    const into = (parents[to] ?? []).map((edge, place) => toEdge(edge, { to, place, works, level }));
    const work = into.some(({ split }) => split?.kind === "reduce")
      ? ({ kind: "agent", isMerger: true } as const)
      : (works[to] as WorkSpec);
    const node = finishNode({ id: `n${to}`, work }, gene, { into, level });
    edges.push(...into);
    return node;
  });
  return { nodes, edges: edges.sort((a, b) => a.from - b.from || a.to - b.to), defaults: level.defaults };
}

function parentsOf({ edges }: NodeGene, index: number): EdgeGene[] {
  const seen = new Set<number>();
  if (index === 0) return [];
  return edges.flatMap((edge) => {
    const parent = edge.parent % index;
    if (seen.has(parent)) return [];
    seen.add(parent);
    return [{ ...edge, parent }];
  });
}

function conditionOf(gene: number, { early }: Level): ConditionSpec | undefined {
  const all = early ? [...conditions, ...usageConditions] : conditions;
  return all[gene % all.length];
}

function toWork({ kind, extra }: NodeGene, into: number, level: Level): WorkSpec {
  const { isOutermost, bodies } = level;
  const agent = { kind: "agent", isMerger: false } as const;
  const takes = into > 0 || !isOutermost;
  if (kind === 5) return { kind: "human" };
  if (kind === 6) return { kind: "literal", value: ["one word", "a1\nb2", ["a1", "b2"]][extra % 3] ?? "" };
  if (kind === 7 && takes) return { kind: "pass" };
  if (kind === 8 && takes) return { kind: "vote", need: "all", compare: extra % 2 === 0 ? "answer" : "exact" };
  if (kind === 9 && takes) return { kind: "best" };
  const body = kind >= 10 ? bodies[extra % bodies.length] : undefined;
  if (body === undefined) return agent;
  if (kind < 12 || !isWorkedIn(body.graph)) return { kind: "graph", body };
  const until = extra > 3 ? conditionOf(extra, level) : undefined;
  return { kind: "loop", body, times: 1 + (extra % 3), ...(until && { until }) };
}

/** Whether somebody works in a graph: where nobody does it is no loop. */
function isWorkedIn({ nodes }: GraphSpec): boolean {
  return nodes.some(({ work }) => {
    if (work.kind === "graph" || work.kind === "loop") return isWorkedIn(work.body.graph);
    return work.kind === "agent" || work.kind === "human";
  });
}

interface EdgePlace {
  readonly to: number;
  /** Which of the edges into its target it is. */
  readonly place: number;
  readonly level: Level;
  readonly works: readonly WorkSpec[];
}

function toEdge({ parent, way, when, critic }: EdgeGene, { to, place, works, level }: EdgePlace): EdgeSpec {
  const target = works[to]?.kind;
  const mayStarve = place > 0 || target === "agent" || (target !== "vote" && !level.isOutermost);
  const edge = { from: parent, to, ...(when < 14 ? {} : { when: conditionOf(when - 14 + critic, level) }) } as EdgeSpec;
  if (target === "literal") return { ...edge, carry: false, trigger: true };
  if (way === 6 && mayStarve) return { ...edge, carry: false, trigger: true };
  if (way === 7 && (target === "agent" || target === "human")) return { ...edge, carry: true, trigger: false };
  const plain = { ...edge, carry: true, trigger: true };
  if (way === 8 && place === 0 && (target === "agent" || target === "graph" || target === "loop"))
    return { ...plain, split: { kind: "map", by: when % 3 === 0 ? "items" : "lines" } };
  if (way === 9 && place === 0 && target === "agent")
    return { ...plain, split: { kind: "reduce", by: when % 3 === 0 ? "items" : "lines", ...(critic > 2 ? { group: 2 } : {}) } };
  if (works[parent]?.kind !== "agent") return plain;
  return { ...plain, ...(critic < 3 ? {} : { critic: critic === 3 ? ("none" as const) : critic - 3 }) };
}

/** Where items are worked on nothing else comes; where joins may be early, some are. */
function finishNode(node: NodeSpec, { extra }: NodeGene, { into, level }: { into: EdgeSpec[]; level: Level }): NodeSpec {
  const isSplit = into.some(({ split }) => split !== undefined);
  if (isSplit) for (const [i, edge] of into.entries()) if (edge.split === undefined) into[i] = toSide(edge, node);
  // What nothing can set off is refused by the compiler.
  if (into[0] !== undefined && !into.some(({ trigger }) => trigger)) into[0] = { ...into[0], carry: false, trigger: true };
  const carrying = into.filter(({ carry, trigger }) => carry && trigger).length;
  if (!level.early || carrying < 2) return node;
  const need = ([undefined, "any", 1, 2, carrying] as const)[extra % 5];
  if (need === undefined) return node;
  return node.work.kind === "vote" ? { ...node, work: { ...node.work, need } } : { ...node, join: need };
}

function toSide({ from, to, when }: EdgeSpec, { work }: NodeSpec): EdgeSpec {
  const side = work.kind === "agent" ? { carry: true, trigger: false } : { carry: false, trigger: true };
  return { from, to, ...side, ...(when && { when }) };
}
