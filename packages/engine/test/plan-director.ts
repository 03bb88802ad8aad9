import type { ActivationDraft, ArtifactRef, Director, RunView, Settled, Step } from "@troupe/schema";
import type { Plan, PlannedNode } from "./plan.ts";

type Source = NonNullable<ActivationDraft["inputs"]>[number] | "lost" | "later";

/** Grows a run by a plan: nodes once their parents have something to give, what stands in for lost ones, and the product at the end. */
export class PlanDirector implements Director {
  readonly #plan: Plan;
  readonly #ids = new Map<string, number>();
  readonly #labels = new Map<number, string>();
  readonly #settled = new Map<string, Settled>();
  readonly #never = new Set<number>();

  constructor(plan: Plan) {
    this.#plan = plan;
  }

  start(view: RunView): Step {
    return this.#advance(view);
  }

  settled(done: Settled, view: RunView): Step {
    const label = this.#labels.get(done.activation) ?? "";
    this.#settled.set(label, done);
    const index = Number(/^node (\d+)$/.exec(label)?.[1] ?? -1);
    const { error, artifact } = done;
    const endsRun = this.#plan[index]?.fails.how === "ends" || label === "product";
    if (done.state === "failed" && endsRun && error !== undefined) return { finish: { kind: "failed", error } };
    if (label === "product" && artifact !== undefined) return { finish: { kind: "completed", artifact } };
    const rival = this.#ids.get(`rival ${index}`);
    const step = this.#advance(view);
    return rival === undefined || this.#settled.has(`rival ${index}`) ? step : { ...step, cancel: [rival] };
  }

  notice(): Step {
    return {};
  }

  idle(): { deadlocked: string[] } {
    return { deadlocked: [...this.#ids.keys()].filter((label) => !this.#settled.has(label)) };
  }

  best(): ArtifactRef | undefined {
    return undefined;
  }

  #advance({ nextId }: RunView): Step {
    const start: ActivationDraft[] = [];
    const add = (label: string, draft: Omit<ActivationDraft, "label">): void => {
      this.#ids.set(label, nextId + start.length);
      this.#labels.set(nextId + start.length, label);
      start.push({ ...draft, label });
    };
    for (const [index, node] of this.#plan.entries()) this.#advanceNode(node, index, add);
    if (!this.#ids.has("product") && this.#isDecided()) add("product", { kind: "act", inputs: this.#outputs() });
    return start.length === 0 ? {} : { start };
  }

  #advanceNode(node: PlannedNode, index: number, add: (label: string, draft: Omit<ActivationDraft, "label">) => void): void {
    const label = `node ${index}`;
    if (this.#ids.has(label)) {
      const isReplaced = this.#isFailed(index) && node.fails.how === "always" && node.fails.instead === "fallback";
      if (isReplaced && !this.#ids.has(`fallback ${index}`)) add(`fallback ${index}`, { kind: "act", inputs: [] });
      return;
    }
    const sources = node.parents.map((parent) => this.#sourceOf(parent, node.ahead));
    if (sources.includes("lost")) this.#never.add(index);
    if (sources.includes("lost") || sources.includes("later")) return;
    const inputs = sources as ActivationDraft["inputs"];
    add(label, { kind: node.kind, inputs, priority: 1, ...(node.kind === "wait" && { wait: { ask: label } }) });
    if (node.rival) add(`rival ${index}`, { kind: "act", inputs });
  }

  #sourceOf(parent: number, ahead: boolean): Source {
    const name = `from ${parent}`;
    const label = `node ${parent}`;
    const id = this.#ids.get(label);
    if (id === undefined) return this.#never.has(parent) ? "lost" : "later";
    const { state, artifact } = this.#settled.get(label) ?? {};
    if (artifact !== undefined) return { name, ref: artifact };
    if (state === undefined) return ahead ? { name, from: id } : "later";
    const { fails } = this.#plan[parent] as PlannedNode;
    if (state !== "failed" || fails.how !== "always" || fails.instead !== "fallback") return "lost";
    const instead = this.#settled.get(`fallback ${parent}`)?.artifact;
    return instead === undefined ? "later" : { name, ref: instead };
  }

  #isFailed(index: number): boolean {
    return this.#settled.get(`node ${index}`)?.state === "failed";
  }

  #isDecided(): boolean {
    const isOpen = [...this.#ids.keys()].some((label) => !this.#settled.has(label));
    return !isOpen && this.#plan.every((_, index) => this.#ids.has(`node ${index}`) || this.#never.has(index));
  }

  #outputs(): ActivationDraft["inputs"] {
    return this.#plan.flatMap((_, index) => {
      const ref = this.#settled.get(`node ${index}`)?.artifact ?? this.#settled.get(`fallback ${index}`)?.artifact;
      return ref === undefined ? [] : [{ name: `from ${index}`, ref }];
    });
  }
}
