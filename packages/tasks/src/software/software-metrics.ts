import { z } from "zod";

const reason = z.string().describe("One line for people: what it rests on, or why it could not be measured");

/** A figure, or why there is none: nothing that was not measured passes for a 0 or a 1. */
export const measure = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("measured"), value: z.number().describe("The figure"), reason }),
    z.strictObject({ kind: z.literal("unmeasured"), reason }),
  ])
  .describe("A figure, or why there is none");
export type Measure = z.infer<typeof measure>;

/** The metrics of a software product, as in ChatDev and MacNet. */
export const softwareMetrics = z
  .strictObject({
    completeness: measure.describe("1 when no code is left for later, else 0"),
    executability: measure.describe("1 when it runs: exit code, no traceback, within the time limit; else 0"),
    consistency: measure.describe("Cosine of the embeddings of the request and of the code without its comments, −1 to 1"),
    quality: measure.describe("Arithmetic mean of the three, as in MacNet's table"),
    qualityMultiplied: measure.describe("The three multiplied, as in ChatDev"),
  })
  .describe("The metrics of a software product");
export type SoftwareMetrics = Readonly<z.infer<typeof softwareMetrics>>;
export type SoftwareMetric = keyof SoftwareMetrics;

/** The names of the metrics, in the order in which they are reported. */
export const softwareMetricNames = Object.keys(softwareMetrics.shape) as readonly SoftwareMetric[];

/** Makes a figure. */
export function measured(value: number, why: string): Measure {
  return { kind: "measured", value, reason: why };
}

/** Says why there is no figure. */
export function unmeasured(why: string): Measure {
  return { kind: "unmeasured", reason: why };
}
