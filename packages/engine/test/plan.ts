import fc from "fast-check";

/** How often, and how, a node of a plan fails. */
export type PlannedFailure =
  | { readonly how: "never" }
  /** So often with an error that passes: in the runner, or in the last call of its model. */
  | { readonly how: "passing"; readonly times: number; readonly where: "runner" | "model" }
  /** So often with an error that ends the run, which is then gone on with. */
  | { readonly how: "ends"; readonly times: number }
  /** Each time, with an error that passes or not; the director starts something in its place, or does without it. */
  | { readonly how: "always"; readonly passing: boolean; readonly instead: "fallback" | "nothing" };

/** A node of a plan. */
export interface PlannedNode {
  readonly kind: "act" | "wait";
  /** Earlier nodes whose outputs it gets. */
  readonly parents: readonly number[];
  /** Started together with its only parent, before that is done. */
  readonly ahead: boolean;
  readonly calls: number;
  readonly fails: PlannedFailure;
  /** A twin that never ends by itself is started with it, and cancelled once it has settled. */
  readonly rival: boolean;
  /** Milliseconds that it takes. */
  readonly delay: number;
}

/** What a run is to do. */
export type Plan = readonly PlannedNode[];

/** How a session is cut off: by the death of its process at an append, before or after it is committed, or by an interruption. */
export interface Cut {
  readonly by: "death before" | "death after" | "interruption";
  /** At which append of the session, from 1. */
  readonly at: number;
}

const failure: fc.Arbitrary<PlannedFailure> = fc.oneof(
  { weight: 3, arbitrary: fc.constant({ how: "never" as const }) },
  {
    weight: 2,
    arbitrary: fc.record({
      how: fc.constant("passing" as const),
      times: fc.integer({ min: 1, max: 2 }),
      where: fc.constantFrom("runner" as const, "model" as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ how: fc.constant("ends" as const), times: fc.integer({ min: 1, max: 2 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      how: fc.constant("always" as const),
      passing: fc.boolean(),
      instead: fc.constantFrom("fallback" as const, "nothing" as const),
    }),
  },
);

const rawNode = fc.record({
  kind: fc.constantFrom("act" as const, "act" as const, "wait" as const),
  parents: fc.uniqueArray(fc.nat(6), { maxLength: 3 }),
  ahead: fc.boolean(),
  calls: fc.nat(2),
  fails: failure,
  rival: fc.nat(4).map((n) => n === 0),
  delay: fc.nat(3),
});

/** Plans of up to seven nodes. */
export const plans: fc.Arbitrary<Plan> = fc.array(rawNode, { minLength: 1, maxLength: 7 }).map((nodes) =>
  nodes.map(({ parents, ahead, calls, ...node }, index) => {
    const own = [...new Set(parents.flatMap((parent) => (index === 0 ? [] : [parent % index])))].sort((a, b) => a - b);
    return { ...node, parents: own, ahead: ahead && own.length === 1, calls: node.kind === "wait" ? 0 : calls };
  }),
);

/** Up to six cuts, one a session. */
export const cuts: fc.Arbitrary<readonly Cut[]> = fc.array(
  fc.record({
    by: fc.constantFrom("death before" as const, "death after" as const, "interruption" as const),
    at: fc.integer({ min: 1, max: 25 }),
  }),
  { maxLength: 6 },
);

/** How the end of every activation that a plan leads to must look, by label, and what the product says. */
export interface Expected {
  readonly states: Readonly<Record<string, "done" | "failed" | "cancelled">>;
  readonly product: string;
}

/** The reference: no engine, no order, no crash. */
export function expectedOf(plan: Plan): Expected {
  const states: Record<string, "done" | "failed" | "cancelled"> = {};
  /** What children get of each node; undefined: nothing ever. */
  const texts: (string | undefined)[] = [];
  plan.forEach((node, index) => {
    const given = node.parents.map((parent) => texts[parent]);
    // What was started before its parent failed is lost with it, though there is something in the parent's place.
    const isDoomed = node.ahead && states[`node ${node.parents[0]}`] !== "done";
    const wasStarted = isDoomed ? states[`node ${node.parents[0]}`] !== undefined : !given.includes(undefined);
    if (!wasStarted) return;
    const state = isDoomed ? "cancelled" : node.fails.how === "always" ? "failed" : "done";
    states[`node ${index}`] = state;
    if (node.rival) states[`rival ${index}`] = "cancelled";
    if (state === "done") texts[index] = textOf(`node ${index}`, given as string[], node.calls);
    if (state !== "failed" || node.fails.how !== "always" || node.fails.instead !== "fallback") return;
    states[`fallback ${index}`] = "done";
    texts[index] = textOf(`fallback ${index}`, [], 0);
  });
  states["product"] = "done";
  return {
    states,
    product: textOf(
      "product",
      texts.filter((text) => text !== undefined),
      0,
    ),
  };
}

/** What an activation makes: its label, what it was given, and what its model answered. */
export function textOf(label: string, given: readonly string[], calls: number): string {
  return `${label}(${given.join(", ")})${Array.from({ length: calls }, (_, call) => answerTo(`${label} ${call}`)).join("")}`;
}

/** What the model answers. */
export function answerTo(question: string): string {
  return `<${question}>`;
}
