import type { ExperimentFile } from "@troupe/schema";
import { fewTasks } from "./few-tasks.ts";
import type { ScalingPoint, ScalingReport } from "./report-scaling.ts";

/** How the figures against size came about, and what can't be concluded from them. */
export function scalingNotes({ lines, measure, reference }: ScalingReport, file: ExperimentFile): string[] {
  const points = lines.flatMap((line) => line.points);
  const notes = [
    `A point of a curve is the mean of ${measure} over its runs; its interval is a BCa bootstrap over whole tasks. A curve's growth is its products' bytes over those at its smallest size.`,
    `The curve is γ / (1 + e^(−β (log₂ size − α))) + δ (arXiv 2406.07155), by least squares over single runs; ± is one standard error, robust to what runs of a task have in common (Liang and Zeger 1986). Four parameters over few sizes fit much: a fit is no evidence for this law against another. The plot draws it only where it shows a change.`,
  ];
  if (points.some(({ nearest }) => nearest !== undefined))
    notes.push(
      "Nearest at tokens is the system of an earlier entry whose runs used the most similar number of tokens: better than that one is better at the same price, as far as the two are equal. These intervals are not corrected for their number: of many some miss by chance.",
    );
  if (points.some(({ shared }) => shared))
    notes.push("Runs in brackets (of another system) were made for that one, which is the same graph at this size: they count once.");
  notes.push(...limitsOf(points, lines));
  if (
    reference?.quality !== undefined &&
    points.every(({ nearest }) => nearest?.tokens.equal !== true) &&
    points.some(({ runs }) => runs > 0)
  )
    notes.push(
      "**No point has a control at equal tokens: nothing here tells whether a gain comes from working together or from more tokens.**",
    );
  const hasRandom = file.systems.some(({ vary }) => vary?.["shape.kind"]?.includes("random") === true);
  if (hasRandom)
    notes.push("Of each size there is one random graph, whatever the seed of the run: nothing is said of other random graphs.");
  return notes;
}

/** What can't be said, and why. */
function limitsOf(points: readonly ScalingPoint[], lines: ScalingReport["lines"]): string[] {
  const notes: string[] = [];
  const tasks = Math.max(0, ...points.map(({ quality }) => quality?.clusters ?? 0));
  if (tasks > 0 && tasks < fewTasks)
    notes.push(
      `The points rest on ${tasks === 1 ? "one task" : `${tasks} tasks`}: intervals and standard errors over so few are too small, and say little about other tasks.`,
    );
  const open = [...new Set(points.filter(({ runs }) => runs === 0).map(({ size }) => size))].sort((a, b) => a - b);
  if (open.length > 0) notes.push(`Nothing is said of sizes without runs; some or all systems have none at size ${open.join(", ")}.`);
  if (lines.some(({ fit }) => fit.kind === "refused"))
    notes.push("Below six sizes no curve is fitted: four parameters would pass near any points.");
  if (points.some(({ quality }) => quality?.interval !== undefined && quality.interval.low === quality.interval.high))
    notes.push("An interval without width means that every task came to the same mean, not that other tasks would.");
  if (points.some(({ runs, bytes }) => runs > 0 && bytes === undefined))
    notes.push("Bytes are missing where rows come from a version that did not keep them, or no run made a product.");
  return notes;
}
