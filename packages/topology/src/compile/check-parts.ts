import type { NodeEntry, TopologyFile } from "@troupe/schema";
import { quote } from "../yaml/quote.ts";
import { noCritic } from "./card-uses.ts";
import { compileCondition, conditionForms } from "./condition.ts";
import { cell } from "./edge-columns.ts";
import { type EdgeTerms, type Terms, type WorkKey, workKeys, workOf } from "./edge-terms.ts";
import type { ProblemList } from "./problem-list.ts";
import { spotOf, type Wiring } from "./wire-nodes.ts";

/** Checks what entries of nodes and edges say, each by itself and together with their neighbours. */
export function checkGraphParts(wiring: Wiring, terms: Terms, { file, list }: { file: TopologyFile; list: ProblemList }): void {
  for (const [i, entry] of (file.nodes ?? []).entries()) checkNode(entry, i, list);
  checkEdges(wiring, terms, { file, list });
  checkTargets(wiring, terms, { file, list });
}

function checkNode(entry: NodeEntry, index: number, list: ProblemList): void {
  const path = ["nodes", index];
  const work = workOf(entry);
  const [, second] = workKeys.filter((key) => entry[key] !== undefined);
  if (second !== undefined) {
    const message = `\`${work}\` and \`${second}\` can't stand at one node, ${quote(entry.id)}`;
    list.add({ path: [...path, second], on: "key", message, expected: "one of them" });
  }
  for (const [key, expected] of idleKeysAt(work)) {
    if (entry[key] === undefined) continue;
    list.add({ path: [...path, key], on: "key", message: `\`${key}\` means nothing to a node with \`${work}\``, expected });
  }
  if (entry.human?.otherwise !== undefined && entry.human.seconds === undefined) {
    const message = "`otherwise` never comes to pass: the question waits for ever";
    list.add({ path: [...path, "human", "otherwise"], on: "key", severity: "warning", message, hint: "say `seconds` as well" });
  }
  checkCondition(entry.loop?.until, [...path, "loop", "until"], list);
}

/** Keys that do nothing beside what works at a node, with what to say instead. */
function idleKeysAt(work: WorkKey): (readonly ["model" | "temperature" | "join", string])[] {
  if (work === "agent") return [];
  const agents = "a node with an agent";
  const join = work === "vote" ? "`need` of the vote" : "no `join`";
  return [["model", agents], ["temperature", agents], ...(work === "vote" || work === "literal" ? [["join", join] as const] : [])];
}

function checkCondition(text: string | undefined, path: (string | number)[], list: ProblemList): void {
  if (text === undefined) return;
  const condition = compileCondition(text);
  if ("holds" in condition) return;
  const { message, offset, length, hint } = condition;
  list.add({ path, offset, length, message: `the condition can't be used: ${message}`, expected: conditionForms, ...(hint && { hint }) });
}

/** What entries of edges say; an entry of several edges is looked at for each, and told once. */
function checkEdges({ edges }: Wiring, terms: Terms, { file, list }: { file: TopologyFile; list: ProblemList }): void {
  for (let e = 0; e < edges.from.length; e++) {
    const edge = terms.edge(e);
    if (Object.keys(edge.said).length === 0) continue;
    const { path } = spotOf(edges, e, file);
    checkCondition(edge.said.when, [...path, "when"], list);
    const [fault] = faultsOf(edge, terms.work(cell(edges.from, e)));
    if (fault === undefined) continue;
    const [key, message, expected] = fault;
    list.add({ path: [...path, key], on: "key", message, expected });
  }
}

/** The key at fault, what is wrong, and what was expected. */
type Fault = readonly [key: string, message: string, expected: string];

/** What of an edge's entry does not go together, the worst first. */
function* faultsOf({ said, carry, trigger }: EdgeTerms, source: WorkKey): Generator<Fault> {
  const isIdle = !carry || !trigger;
  const hasCritic = said.critic !== undefined && said.critic !== noCritic;
  if (!carry && !trigger) yield ["carry", "an edge that neither carries nor triggers does nothing", "one of the two"];
  if (hasCritic && isIdle) yield ["critic", "the critic never judges: the edge gives the target nothing to work on", "no critic here"];
  if (hasCritic && source !== "agent")
    yield ["critic", `nobody could follow the critic: no agent works at the source, but \`${source}\``, "no critic here"];
  yield* splitFaultsOf(said, isIdle);
}

function* splitFaultsOf({ map, reduce }: EdgeTerms["said"], isIdle: boolean): Generator<Fault> {
  if (map !== undefined && reduce !== undefined) yield ["reduce", "an edge can't both map and reduce", "one of the two"];
  if ((map !== undefined || reduce !== undefined) && isIdle) {
    const key = map === undefined ? "reduce" : "map";
    yield [key, "there is nothing to split: the edge gives the target nothing to work on", "an edge that carries and triggers"];
  }
}

/** What the edges into a node must fit. */
function checkTargets({ nodes, edges }: Wiring, terms: Terms, { file, list }: { file: TopologyFile; list: ProblemList }): void {
  if (file.nodes === undefined && file.edges === undefined) return;
  const carrying = new Int32Array(nodes.ids.length);
  const triggering = new Int32Array(nodes.ids.length);
  for (let e = 0; e < edges.from.length; e++) {
    const { carry, trigger } = terms.edge(e);
    const to = cell(edges.to, e);
    if (carry && trigger) carrying[to] = cell(carrying, to) + 1;
    if (trigger) triggering[to] = cell(triggering, to) + 1;
  }
  for (let e = 0; e < edges.from.length; e++) {
    checkTarget(e, { edges, terms, carrying, file, list });
    const to = cell(edges.to, e);
    if (cell(triggering, to) > 0) continue;
    // Told once for each node, at the first of its edges.
    triggering[to] = 1;
    const message = `nothing sets ${quote(nodes.ids[to])} off: every edge into it says \`trigger: false\``;
    list.add({ ...spotOf(edges, e, file), message, expected: "an edge that makes it act" });
  }
  for (const [index, entry] of nodes.entryOf)
    checkCounts(file.nodes?.[entry], { path: ["nodes", entry], carrying: cell(carrying, index), list });
}

interface TargetCheck extends Pick<Wiring, "edges"> {
  readonly terms: Terms;
  readonly carrying: Int32Array;
  readonly file: TopologyFile;
  readonly list: ProblemList;
}

function checkTarget(e: number, check: TargetCheck): void {
  const { edges, terms, file, list } = check;
  const { carry, trigger, split } = terms.edge(e);
  const work = terms.work(cell(edges.to, e));
  const spot = spotOf(edges, e, file);
  if (work === "literal" && carry)
    list.add({ ...spot, message: "a literal takes nothing, so nothing can be carried to it", expected: "`carry: false`" });
  if (carry && !trigger && work !== "agent" && work !== "human")
    list.add({ ...spot, message: `a node with \`${work}\` has no use for a context`, expected: "a target with an agent or a person" });
  if (split !== undefined) checkSplit(e, split, check);
}

/** Whoever works on items must be able to, and nothing else may come to it. */
function checkSplit(e: number, split: "map" | "reduce", { edges, terms, carrying, file, list }: TargetCheck): void {
  const to = cell(edges.to, e);
  const work = terms.work(to);
  const spot = spotOf(edges, e, file);
  const isFit = work === "agent" || (split === "map" && (work === "graph" || work === "loop"));
  const wanted = split === "reduce" ? "an aggregator at the target" : "an agent, a graph or a loop at the target";
  if (!isFit) list.add({ ...spot, message: `a node with \`${work}\` can't work on items`, expected: wanted });
  else if (split === "reduce" && terms.node(to)?.agent === undefined)
    list.add({ ...spot, message: "nobody merges the items", expected: "`agent` at the target: the card of an aggregator" });
  if (cell(carrying, to) <= 1) return;
  const expected = "`trigger: false` at the others: each item is given them";
  const message = "further edges bring artifacts to where the items are worked on";
  list.add({ ...spot, message, expected, hint: "or let a node without `map` come between" });
}

function checkCounts(
  entry: NodeEntry | undefined,
  { path, carrying, list }: { path: (string | number)[]; carrying: number; list: ProblemList },
): void {
  const need = { join: entry?.join, vote: entry?.vote?.need };
  for (const [key, number] of Object.entries(need)) {
    if (typeof number !== "number" || number <= carrying) continue;
    const place = key === "vote" ? ["vote", "need"] : ["join"];
    const brings = carrying === 1 ? "only 1 edge brings one" : `only ${carrying} edges bring one`;
    list.add({ path: [...path, ...place], message: `${number} artifacts are waited for, but ${brings}`, expected: `at most ${carrying}` });
  }
}
