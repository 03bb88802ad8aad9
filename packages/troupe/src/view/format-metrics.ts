import type { Adoption, EdgeAdoption, GraphMeasures, Growth, Rounds, RunMetrics } from "@troupe/lab";
import { type Measure, type SoftwareMetric, softwareMetricNames, type SoftwareMetrics } from "@troupe/tasks";
import type { Colors } from "./colors.ts";
import { formatTable } from "./format-table.ts";
import { oneLine } from "./terminal-text.ts";
import { count, duration, money, plural, size } from "./words.ts";

/** Edges that are listed one by one; `--json` has them all. */
const mostEdges = 20;

/** What was measured of a run and of its product, as lines; what there is no figure for is a dash. */
export function formatMetrics(run: RunMetrics, software: SoftwareMetrics | undefined, colors: Colors): string[] {
  const title = `${colors.bold(run.run)}  ${oneLine(run.topology)}  ${run.outcome ?? "not ended"}`;
  return [
    title,
    ...(software === undefined ? [] : ["", colors.bold("Product"), ...indent(productLines(software, colors))]),
    "",
    colors.bold("Run"),
    ...indent(costLines(run)),
    "",
    ...indent(graphLines(run)),
    ...growthLines(run.growth, colors),
    ...criticLines(run, colors),
  ];
}

const titles: Record<SoftwareMetric, string> = {
  completeness: "completeness",
  executability: "executability",
  consistency: "consistency",
  quality: "quality, mean",
  qualityMultiplied: "quality, multiplied",
};

function productLines(software: SoftwareMetrics, colors: Colors): string[] {
  return formatTable(
    softwareMetricNames.map((name) => [titles[name], figureOf(software[name]), colors.dim(oneLine(software[name].reason))]),
  );
}

function figureOf(measure: Measure): string {
  return measure.kind === "unmeasured" ? "–" : Number.isInteger(measure.value) ? String(measure.value) : measure.value.toFixed(3);
}

function costLines({ usage, seconds, activations: { states, steps } }: RunMetrics): string[] {
  const tokens = `${usage.estimated ? "about " : ""}${count(usage.inputTokens)} in, ${count(usage.outputTokens)} out, ${plural(usage.calls, "call")}`;
  const ended = Object.entries(states).filter(([, number]) => number > 0);
  const kinds = Object.entries(steps).map(([step, number]) => `${number} ${oneLine(step)}`);
  return formatTable([
    ["tokens", usage.usd > 0 ? `${tokens}, ${money(usage.usd)}` : tokens],
    ["time", duration(seconds)],
    [
      "activations",
      `${ended.map(([state, number]) => `${number} ${state}`).join(", ") || "none"}${kinds.length > 0 ? `: ${kinds.join(", ")}` : ""}`,
    ],
  ]);
}

function graphLines({ graph, shape }: RunMetrics): string[] {
  const row = (name: string, { nodes, edges, density, depth, width }: GraphMeasures): string[] => [
    name,
    ...[nodes, edges, density.toFixed(3), depth, width].map(String),
  ];
  const head = ["", "nodes", "edges", "density", "depth", "width"];
  const rows = [head, ...(shape.kind === "measured" ? [row("topology", shape)] : []), row("activations", graph)];
  const missing = shape.kind === "measured" ? [] : [`topology  –  ${oneLine(shape.reason)}`];
  return [...formatTable(rows, ["left", "right", "right", "right", "right", "right"]), ...missing];
}

function growthLines({ byDepth, product, bytesRatio, linesRatio }: Growth, colors: Colors): string[] {
  const cells = (name: string, artifacts: number, bytes: number, lines: number): string[] => [
    name,
    String(artifacts),
    size(Math.round(bytes)),
    lines.toFixed(1),
  ];
  const rows = byDepth.map(({ depth, artifacts, bytes, lines }) => cells(String(depth), artifacts, bytes, lines));
  const last = product === undefined ? [] : [cells("product", 1, product.bytes, product.lines)];
  const times = (ratio: number | undefined): string => (ratio === undefined ? "–" : `${ratio.toFixed(2)} ×`);
  const grown = `grown from the first drafts: bytes ${times(bytesRatio)}, lines ${times(linesRatio)}`;
  const table = formatTable([["depth", "artifacts", "size", "lines"], ...rows, ...last], ["left", "right", "right", "right"]);
  return ["", colors.bold("Artifacts"), ...indent([...table, grown])];
}

function criticLines({ rounds, adoption }: RunMetrics, colors: Colors): string[] {
  const head = ["", colors.bold("Critics")];
  if (rounds.held === 0) return [...head, "  none has spoken"];
  const edges = adoption.edges.length > 1 && adoption.edges.length <= mostEdges ? edgeTable(adoption.edges) : [];
  return [...head, ...indent([roundsLine(rounds), ...adoptionLines(adoption.all), ...edges])];
}

function roundsLine({ talks, held, endedEarly, earlyShare }: Rounds): string {
  return `rounds       ${held} in ${plural(talks, "talk")}; ended early ${endedEarly} (${percent(earlyShare)})`;
}

function adoptionLines({ suggestions, adopted, bySource, byTarget, share, naming, traced, tracedShare }: Adoption): string[] {
  if (suggestions === 0) return ["suggestions  none was given to anybody"];
  return [
    `suggestions  ${suggestions}, adopted ${adopted} (${percent(share)}): by the source ${bySource}, by the target ${byTarget}`,
    naming === 0
      ? "named        none names words of the code"
      : `named        of ${naming} that name words of the code, ${traced} (${percent(tracedShare)}) have one in a changed line`,
  ];
}

function edgeTable(edges: readonly EdgeAdoption[]): string[] {
  const rows = edges.map(({ edge, suggestions, adopted, bySource, byTarget, share }) => [
    oneLine(edge),
    ...[suggestions, adopted, bySource, byTarget].map(String),
    percent(share),
  ]);
  return [
    "",
    ...formatTable(
      [["edge", "suggestions", "adopted", "by source", "by target", "share"], ...rows],
      ["left", "right", "right", "right", "right", "right"],
    ),
  ];
}

const percent = (share: number | undefined): string => (share === undefined ? "–" : `${(100 * share).toFixed(0)} %`);
const indent = (lines: readonly string[]): string[] => lines.map((line) => (line === "" ? "" : `  ${line}`));
