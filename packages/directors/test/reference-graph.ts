import { type Artifact, canonicalJson } from "@troupe/schema";
import { elect, type Expected, itemsOf, onlyText, plainValueOf } from "./reference-values.ts";
import type { EdgeSpec, GraphSpec, NodeSpec, WorkSpec } from "./graph-spec.ts";
import { type Act, answerOf, type Given, nameOf, wordsOf } from "./scripted-answers.ts";

/** Where a walk of the reference stands. */
interface Place {
  readonly scope: string;
  readonly entry: Artifact | undefined;
  readonly round: number;
}

/** What became of a node: what it made, nothing (`skipped`), or the end of the run (`dead`). */
type Fate = { readonly made: Artifact } | "skipped" | "dead";

const toFate = (made: Artifact | undefined): Fate => (made === undefined ? "skipped" : { made });

class Dead extends Error {}

/** Says what must come of a graph: node after node, each when all before it are decided. It knows nothing of directors and compilers. */
export function expect(spec: GraphSpec, seed: number): Expected {
  const reference = new Reference(seed);
  let product: Artifact | undefined;
  try {
    product = reference.walk(spec, { scope: "", entry: undefined, round: 0 });
  } catch (thrown) {
    if (!(thrown instanceof Dead)) throw thrown;
  }
  const acts = reference.acts.sort();
  if (reference.isDead) return { kind: "failed", product: undefined, acts };
  if (product !== undefined) return { kind: "completed", product, acts };
  return { kind: reference.isLost ? "failed" : "deadlocked", product, acts };
}

class Reference {
  readonly acts: string[] = [];
  isDead = false;
  /** Whether an actor that began with the task alone has given nothing that can be used. */
  isLost = false;
  readonly #seed: number;

  constructor(seed: number) {
    this.#seed = seed;
  }

  walk(graph: GraphSpec, place: Place): Artifact | undefined {
    const walk = new Walk(this, graph, place);
    for (const index of graph.nodes.keys()) walk.decide(index);
    const ends = graph.nodes.flatMap((_, i) => (graph.edges.some(({ from }) => from === i) ? [] : [walk.fates[i] ?? "dead"]));
    if (ends.includes("dead")) throw this.die();
    const products = ends.flatMap((fate) => (typeof fate === "string" ? [] : [fate.made]));
    return products.length === 0 ? undefined : this.merge(products, { ...place, node: "" }, graph.defaults.groupSize);
  }

  die(): Dead {
    this.isDead = true;
    return new Dead();
  }

  /** Does a piece of work. @param instead what goes on when its answer can't be used. */
  act(act: Act, given: Given, instead?: Artifact): Artifact {
    const answer = this.tryAct(act, given, instead);
    if (answer === undefined) throw this.die();
    return answer;
  }

  /** The same; undefined when nothing goes on. */
  tryAct(act: Act, given: Given, instead?: Artifact): Artifact | undefined {
    this.acts.push(nameOf(act));
    return answerOf(this.#seed, act, given) ?? instead;
  }

  merge(artifacts: readonly Artifact[], { scope, node }: { scope: string; node: string }, groupSize: number): Artifact {
    const [only] = artifacts;
    if (artifacts.length === 1 && only !== undefined) return only;
    const merges = Math.ceil((artifacts.length - 1) / (groupSize - 1));
    for (let i = 0; i < merges; i++) this.acts.push(nameOf({ scope, step: "merge", from: "", node, round: 0, item: 0 }));
    return { kind: "text", text: wordsOf(artifacts).join("\n") };
  }
}

class Walk {
  readonly fates: Fate[] = [];
  readonly #of: Reference;
  readonly #graph: GraphSpec;
  readonly #place: Place;

  constructor(of: Reference, graph: GraphSpec, place: Place) {
    this.#of = of;
    this.#graph = graph;
    this.#place = place;
  }

  decide(index: number): void {
    try {
      this.fates[index] = this.#decide(index, this.#graph.nodes[index] as NodeSpec);
    } catch (thrown) {
      if (!(thrown instanceof Dead)) throw thrown;
      this.fates[index] = "dead";
    }
  }

  #decide(index: number, node: NodeSpec): Fate {
    const into = this.#graph.edges.filter(({ to }) => to === index);
    if (into.length === 0) return this.#begin(node, []);
    let isTriggered = false;
    const contexts: Artifact[] = [];
    const arrivals: Artifact[] = [];
    let whole: Fate | undefined;
    const settle = (edge: EdgeSpec): void => {
      const taken = this.#take(edge);
      if (taken === undefined) return;
      const { carry, trigger, split } = edge;
      if (trigger && split === undefined) isTriggered = true;
      if (!trigger) contexts.push(taken);
      else if (split !== undefined) whole = this.#workOnItems(edge, taken, contexts) ?? whole;
      else if (carry) arrivals.push(this.#cross(edge, taken, contexts));
    };
    const isSide = ({ carry, trigger }: EdgeSpec) => !carry || !trigger;
    this.#each([...into.filter(isSide), ...into.filter((edge) => !isSide(edge))], settle);
    if (whole !== undefined) return whole;
    return isTriggered ? this.#goOn(node, arrivals, contexts) : "skipped";
  }

  /** Does the same for each, also when one of them is dead: they don't wait for each other. */
  #each<T, R>(all: readonly T[], work: (of: T, index: number) => R): R[] {
    let dead: unknown;
    const results = all.flatMap((one, i) => {
      try {
        return [work(one, i)];
      } catch (thrown) {
        dead = thrown;
        return [];
      }
    });
    if (dead !== undefined) throw dead;
    return results;
  }

  /** What comes over an edge; undefined: nothing. */
  #take(edge: EdgeSpec): Artifact | undefined {
    const fate = this.fates[edge.from] ?? "dead";
    if (fate === "skipped") return undefined;
    if (fate === "dead") throw this.#of.die();
    const holds = edge.when === undefined ? true : edge.when.holds(fate.made, this.#place.round);
    if (holds === undefined) throw this.#of.die();
    return holds ? fate.made : undefined;
  }

  /** The talk with the critic, as far as there is one. */
  #talk(edge: EdgeSpec, made: Artifact): { artifact: Artifact; instruction?: Artifact } {
    const { critic, rounds } = this.#graph.defaults;
    const source = this.#node(edge.from);
    const most = edge.critic === "none" || source.work.kind !== "agent" ? 0 : (edge.critic ?? (critic ? rounds : 0));
    let artifact = made;
    for (let round = 1; round <= most; round++) {
      const judged = this.#of.act(this.#edgeAct(edge, "critique", { round }), [["artifact", artifact]], artifact);
      if (canonicalJson(judged) === canonicalJson(artifact)) return { artifact };
      if (judged.kind === "json" && JSON.stringify(judged.value).includes('"accept"')) return { artifact, instruction: judged };
      const given: Given = [
        ["artifact", artifact],
        ["critique", judged],
      ];
      artifact = this.#of.act(this.#edgeAct(edge, "refine", { round, node: source.id }), given, onlyText(artifact));
      if (round === most) return { artifact, instruction: judged };
    }
    return { artifact };
  }

  #cross(edge: EdgeSpec, made: Artifact, contexts: readonly Artifact[]): Artifact {
    const { artifact, instruction } = this.#talk(edge, made);
    if (this.#node(edge.to).work.kind !== "agent") return artifact;
    const given: Given = [
      ...this.#historyOf(edge.from).map((one) => ["history", one] as const),
      ...contexts.map((one) => ["context", one] as const),
      ["artifact", artifact],
      ...(instruction === undefined ? [] : [["instruction", instruction] as const]),
    ];
    return this.#of.act(this.#edgeAct(edge, "develop", {}), given, onlyText(artifact));
  }

  #workOnItems(edge: EdgeSpec, made: Artifact, contexts: readonly Artifact[]): Fate | undefined {
    const { artifact } = this.#talk(edge, made);
    const items = itemsOf(artifact, edge.split?.by ?? "items");
    if (items === undefined) throw this.#of.die();
    const node = this.#node(edge.to);
    if (edge.split?.kind === "map") {
      const results = this.#each(items, (item, i) => this.#workOnItem(edge, { item, number: i + 1 }, contexts));
      return { made: { kind: "json", value: results.flatMap((one) => (one === undefined ? [] : [plainValueOf(one)])) } };
    }
    if (items.length === 0) return undefined;
    const size = edge.split?.group ?? this.#graph.defaults.groupSize;
    return { made: this.#of.merge(items, { scope: this.#place.scope, node: node.id }, size) };
  }

  #workOnItem(edge: EdgeSpec, { item, number }: { item: Artifact; number: number }, contexts: readonly Artifact[]): Artifact | undefined {
    const { id, work } = this.#node(edge.to);
    if (work.kind !== "agent") return this.#enter(work, `${id}[${number}]`, item);
    const given: Given = [...contexts.map((one) => ["context", one] as const), ["item", item]];
    return this.#of.act(this.#edgeAct(edge, "map", { item: number }), given, item);
  }

  /** Everything into a node has settled, and something has set it off. */
  #goOn(node: NodeSpec, arrivals: readonly Artifact[], contexts: readonly Artifact[]): Fate {
    if (node.work.kind === "vote") return toFate(elect(arrivals, node.work.compare));
    if (arrivals.length === 0) return this.#begin(node, contexts);
    const { scope } = this.#place;
    if (node.work.kind === "best" && arrivals.length > 1) {
      const act = { scope, step: "best", from: "", node: node.id, round: 0, item: 0 };
      return {
        made: this.#of.act(
          act,
          arrivals.map((one) => ["candidate", one]),
        ),
      };
    }
    const merged = this.#of.merge(arrivals, { scope, node: node.id }, this.#graph.defaults.groupSize);
    return this.#work(node, merged, contexts);
  }

  #begin(node: NodeSpec, contexts: readonly Artifact[]): Fate {
    const { work } = node;
    const { entry, scope } = this.#place;
    if (work.kind === "literal")
      return { made: typeof work.value === "string" ? { kind: "text", text: work.value } : { kind: "json", value: [...work.value] } };
    if (work.kind === "agent") {
      const given: Given = [
        ...contexts.map((one) => ["context", one] as const),
        ...(entry === undefined ? [] : [["artifact", entry] as const]),
      ];
      const act = { scope, step: "act", from: "", node: node.id, round: 0, item: 0 };
      const made = this.#of.tryAct(act, given, entry && onlyText(entry));
      if (made !== undefined) return { made };
      this.#of.isLost = true;
      return "skipped";
    }
    if (entry === undefined && (work.kind === "pass" || work.kind === "vote" || work.kind === "best")) return "skipped";
    return this.#work(node, entry, contexts);
  }

  /** What arrived, as one artifact, is worked on by whatever is no agent. */
  #work(node: NodeSpec, artifact: Artifact | undefined, contexts: readonly Artifact[]): Fate {
    const { work } = node;
    if (work.kind === "human") {
      const given: Given = [
        ...contexts.map((one) => ["context", one] as const),
        ...(artifact === undefined ? [] : [["artifact", artifact] as const]),
      ];
      return {
        made: this.#of.act({ scope: this.#place.scope, step: "wait", from: "", node: node.id, round: 0, item: 0 }, given, artifact),
      };
    }
    const made = work.kind === "graph" || work.kind === "loop" ? this.#enter(work, node.id, artifact) : artifact;
    return made === undefined ? "skipped" : { made };
  }

  #enter(work: WorkSpec, name: string, entry: Artifact | undefined): Artifact | undefined {
    const scope = this.#place.scope === "" ? name : `${this.#place.scope}/${name}`;
    if (work.kind === "graph") return this.#of.walk(work.body.graph, { scope, entry, round: this.#place.round });
    if (work.kind !== "loop") return undefined;
    let last = entry;
    for (let round = 1; round <= work.times; round++) {
      const product = this.#of.walk(work.body.graph, { scope: `${scope}#${round}`, entry: last, round });
      if (product === undefined) return last;
      last = product;
      const isOver = work.until === undefined ? false : work.until.holds(product, round);
      if (round === work.times) return last;
      if (isOver === undefined) throw this.#of.die();
      if (isOver) return last;
    }
    return last;
  }

  #historyOf(node: number): Artifact[] {
    if (!this.#graph.defaults.history) return [];
    const before = new Set<number>();
    const add = (of: number): void => {
      for (const { from, to } of this.#graph.edges) {
        if (to !== of || before.has(from)) continue;
        before.add(from);
        add(from);
      }
    };
    add(node);
    return [...before].flatMap((index) => {
      const fate = this.fates[index];
      return fate === undefined || typeof fate === "string" ? [] : [fate.made];
    });
  }

  #edgeAct(edge: EdgeSpec, step: string, { round = 0, item = 0, node = this.#node(edge.to).id }): Act {
    return { scope: this.#place.scope, step, from: this.#node(edge.from).id, node, round, item };
  }

  #node(index: number): NodeSpec {
    return this.#graph.nodes[index] as NodeSpec;
  }
}
