import { type Artifact, type ModelClient, type PublicTask, type Sandbox, TroupeError } from "@troupe/schema";
import { asFiles } from "../as-files.ts";
import { codeFiles } from "./code-files.ts";
import { measureCompleteness } from "./measure-completeness.ts";
import { measureConsistency } from "./measure-consistency.ts";
import { measureExecutability } from "./measure-executability.ts";
import { type Measure, measured, type SoftwareMetrics, unmeasured } from "./software-metrics.ts";

/** What {@link measureSoftware} needs. */
export interface MeasureOptions {
  /** Where the product runs. */
  readonly sandbox: Sandbox;
  /** What compares request and code. */
  readonly models: Pick<ModelClient, "embed" | "info">;
  /** The embedding model's name in troupe.yaml. Default `embedding`. */
  readonly embeddingModel?: string;
  /** Seconds that one call of the product may take. Default 10. */
  readonly seconds?: number;
  readonly signal: AbortSignal;
}

/** The part of a task that the metrics look at. */
export type MeasuredTask = Pick<PublicTask, "prompt" | "language" | "entry" | "files" | "calls">;

/**
 * Measures a software product as ChatDev and MacNet do: completeness, executability, consistency, and two ways to join them. Each
 * figure says what it rests on; what can't be measured says why.
 *
 * @param product undefined: the run made none, which is 0 in everything.
 * @throws TroupeError `cancelled`.
 */
export async function measureSoftware(
  task: MeasuredTask,
  product: Artifact | undefined,
  options: MeasureOptions,
): Promise<SoftwareMetrics> {
  if (options.signal.aborted) throw new TroupeError("cancelled", "Measuring was interrupted.");
  if (product === undefined) return withQuality(allAlike(measured(0, "The run made no product.")));
  const files = asFiles(product, task);
  if (files === undefined) return withQuality(allAlike(unmeasured(`The product is ${product.kind}, not a program.`)));
  const { sandbox, models, embeddingModel = "embedding", seconds, signal } = options;
  const code = codeFiles(files, task);
  return withQuality({
    completeness: measureCompleteness(code),
    executability: await measureExecutability(task, files, { sandbox, signal, seconds }),
    consistency: await measureConsistency(task.prompt, code, { models, model: embeddingModel, signal }),
  });
}

type Parts = Pick<SoftwareMetrics, "completeness" | "executability" | "consistency">;

function allAlike(one: Measure): Parts {
  return { completeness: one, executability: one, consistency: one };
}

/** Adds the joined figures; they need all three parts. */
function withQuality(parts: Parts): SoftwareMetrics {
  const { completeness, executability, consistency } = parts;
  const missing = Object.entries(parts).flatMap(([name, part]) => (part.kind === "unmeasured" ? [name] : []));
  const values = [completeness, executability, consistency].flatMap((part) => (part.kind === "measured" ? [part.value] : []));
  if (missing.length > 0) {
    const lacking = unmeasured(`${missing.join(" and ")} could not be measured.`);
    return { ...parts, quality: lacking, qualityMultiplied: lacking };
  }
  return {
    ...parts,
    quality: measured(values.reduce((sum, value) => sum + value, 0) / values.length, "Mean of the three."),
    qualityMultiplied: measured(
      values.reduce((product, value) => product * value, 1),
      "The three multiplied.",
    ),
  };
}
