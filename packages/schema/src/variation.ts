import { z } from "zod";
import { agentPath, maxNodes, shape, temperature } from "./graph-parts.ts";
import { topologyDefaults } from "./topology-file.ts";

const { model, rounds, groupSize, memory } = topologyDefaults.shape;

/** The most systems that a `vary` may make. */
export const mostVariants = 1000;

function each<T extends z.ZodType>(value: T, what: string) {
  return z.array(value).min(1).max(mostVariants).optional().describe(what);
}

/** What a system is made several times of: a grid, one system for each combination. Keys are paths of the topology and of the limits. */
export const variation = z
  .strictObject({
    "shape.kind": each(z.enum(shape.options.map((option) => option.shape.kind.value)), "Shapes"),
    "shape.size": each(
      z.number().int().min(1).max(maxNodes),
      "Numbers of nodes; with two or more the report has a curve of results against size",
    ),
    "shape.density": each(z.number().min(0).max(1), "Densities of a random shape"),
    "shape.seed": each(z.number().int().nonnegative(), "Seeds of a random shape"),
    "defaults.actor": each(agentPath, "Role cards of nodes that name none"),
    "defaults.critic": each(agentPath, "Role cards of edges that name none, or `none`"),
    "defaults.model": each(model.unwrap(), "Models, which override every card's"),
    "defaults.rounds": each(rounds.unwrap(), "Most rounds between critic and source actor"),
    "defaults.groupSize": each(groupSize.unwrap(), "How many artifacts one aggregation merges"),
    "defaults.memory": each(memory.unwrap(), "What crosses an edge"),
    "defaults.temperature": each(temperature, "Fixed temperatures"),
    "limits.tokens": each(z.number().int().positive(), "Prompt and generated tokens of one run"),
  })
  .describe("One system for each combination of these values, named like `macnet-chain-8`; they are written over `overrides` and `limits`");

/** A field that can be varied. */
export type VariedField = keyof z.infer<typeof variation>;

/** The values of one combination. */
export type VariedValues = Readonly<Partial<Record<VariedField, string | number>>>;

/** One of the systems that an entry stands for. */
export interface SystemVariant {
  /** Name in results and tables. */
  readonly name: string;
  /** Empty when nothing is varied. */
  readonly values: VariedValues;
}

type Varied = { readonly [field in VariedField]?: readonly (string | number)[] | undefined };

/** The fields that are varied, always in the same order, whatever the order in the file. */
export function variedFields(vary: Varied = {}): [field: VariedField, values: readonly (string | number)[]][] {
  return (Object.keys(variation.shape) as VariedField[]).flatMap((field) => {
    const values = vary[field];
    return values === undefined ? [] : [[field, values] as [VariedField, readonly (string | number)[]]];
  });
}

/** How many systems a `vary` makes. */
export function countVariants(vary: Varied = {}): number {
  return variedFields(vary).reduce((product, [, values]) => product * values.length, 1);
}

/**
 * The systems that an entry stands for: one for each combination, the last field changing fastest.
 *
 * @example
 * variantsOf({ name: "net", topology: "mesh.yaml", vary: { "shape.size": [1, 2] } }); // net-1, net-2
 */
export function variantsOf({ name, topology, vary }: { name?: string | undefined; topology: string; vary?: Varied | undefined }) {
  let variants: SystemVariant[] = [{ name: name ?? topology, values: {} }];
  for (const [field, values] of variedFields(vary))
    variants = variants.flatMap((before) =>
      values.map((value) => ({ name: `${before.name}-${wordOf(value)}`, values: { ...before.values, [field]: value } })),
    );
  return variants;
}

/** A value as a part of a name: of a path the file's name without its ending. */
function wordOf(value: string | number): string {
  const word = typeof value === "number" ? String(value) : value.replace(/^.*\//, "").replace(/\.ya?ml$/i, "");
  return word.replace(/[^A-Za-z0-9.]+/g, "-").replace(/^-+|-+$/g, "") || "x";
}
