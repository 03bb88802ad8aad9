import type { ExperimentFile } from "@troupe/schema";
import type { ScalingLine, ScalingPoint, ScalingReport } from "./report-scaling.ts";
import { figure } from "./format-cells.ts";
import { plotStyle, toneCount } from "./plot-style.ts";
import type { ExperimentReport } from "./summarize.ts";
import { escapeXml, round } from "./svg-text.ts";
import { whatFitShows } from "./what-fit-shows.ts";

const margin = 28;
const header = 96;
const panel = { width: 244, height: 150, left: 44, top: 30, foot: 40, gap: 20 };
const columns = 3;

/** The report of an experiment that has curves. */
export type Plotted = ExperimentReport & { readonly scaling: ScalingReport };

/**
 * Draws a measure against size, a panel for each curve: its points with the band of their intervals, the fitted curve, the other curves in
 * grey and the single agent as a horizontal line. The size axis is logarithmic. An SVG file that stands alone and follows the reader's theme.
 */
export function plotScaling(report: Plotted): string {
  const { file, scaling } = report;
  const across = Math.min(columns, scaling.lines.length);
  const down = Math.ceil(scaling.lines.length / columns);
  const width = Math.max(2 * margin + across * cell.width - panel.gap, 640);
  const height = header + down * cell.height + margin / 2;
  const scale = scaleOf(scaling);
  const title = `<title id="t">${escapeXml(file.name)}</title><desc id="d">${escapeXml(describe(scaling))}</desc>`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">`,
    `${title}<style>${plotStyle}</style><rect class="page" width="${width}" height="${height}" rx="14"/>`,
    `<text class="title" x="${margin}" y="38">${escapeXml(file.name)}</text>`,
    `<text class="sub" x="${margin}" y="58">${escapeXml(subtitleOf(report))}</text>`,
    `<text class="sub" x="${margin}" y="76">${escapeXml(legendOf(report))}</text>`,
    ...scaling.lines.map((line, at) => paintPanel(line, at, { report, scale })),
    "</svg>\n",
  ].join("\n");
}

const cell = { width: panel.left + panel.width + panel.gap, height: panel.top + panel.height + panel.foot };

function subtitleOf({ file, scaling, tasks, seeds, done, total }: Plotted): string {
  const level = (100 * (1 - file.statistics.alpha)).toFixed(0);
  const state = done === total ? `${total} runs` : `${done} of ${total} runs done`;
  return [
    `${scaling.measure} against number of nodes, ${level} % interval by tasks`,
    `${tasks} ${tasks === 1 ? "task" : "tasks"} × ${seeds} ${seeds === 1 ? "seed" : "seeds"}`,
    state,
  ].join(" · ");
}

function legendOf({ scaling: { reference, measure, lines }, file }: Plotted): string {
  const parts = lines.length > 1 ? ["grey: the other curves"] : [];
  if (reference?.quality !== undefined) parts.unshift(`dashed: ${reference.system}, ${figure(reference.quality.mean, measure)}`);
  if (lines.some((line) => drawnFit(line, file) !== undefined)) parts.push("dotted: fitted curve");
  return parts.join(" · ");
}

function describe({ lines, measure }: ScalingReport): string {
  const pointWords = ({ size, quality }: ScalingPoint): string =>
    `${size}: ${quality === undefined ? "no run" : figure(quality.mean, measure)}`;
  return lines.map(({ name, points }) => `${name}: ${points.map(pointWords).join(", ")}`).join("; ");
}

/** What is drawn where, within a panel. */
interface Scale {
  x(size: number): number;
  y(value: number): number;
  readonly sizes: readonly number[];
  /** Largest value of the axis. */
  readonly top: number;
}

function scaleOf({ lines, measure, reference }: ScalingReport): Scale {
  const sizes = [...new Set(lines.flatMap(({ points }) => points.map(({ size }) => size)))].sort((a, b) => a - b);
  const [low, high] = [Math.log2(sizes[0] ?? 1), Math.log2(sizes.at(-1) ?? 1)];
  const isShare = !["tokens", "seconds", "calls"].includes(measure);
  const values = [reference?.quality, ...lines.flatMap(({ points }) => points.map(({ quality }) => quality))];
  const top = isShare ? 1 : roundUp(Math.max(...values.map((mean) => mean?.interval?.high ?? mean?.mean ?? 0)));
  const inside = panel.width - 16;
  return {
    x: (size) => round(8 + (inside * (Math.log2(size) - low)) / (high - low)),
    y: (value) => round(panel.height * (1 - Math.min(Math.max(value / top, 0), 1))),
    sizes,
    top,
  };
}

/** The next number that begins with 1, 2 or 5 and goes on with zeros. */
function roundUp(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}

function paintPanel(line: ScalingLine, at: number, { report, scale }: { report: Plotted; scale: Scale }): string {
  const x = margin + (at % columns) * cell.width + panel.left;
  const y = header + Math.floor(at / columns) * cell.height + panel.top;
  const tone = `t${at % toneCount}`;
  const { reference, measure, lines } = report.scaling;
  const others = lines.filter((other) => other !== line).map((other) => `<path class="ghost" d="${wayOf(other.points, scale)}"/>`);
  const level = reference?.quality === undefined ? undefined : scale.y(reference.quality.mean);
  return [
    `<g transform="translate(${x} ${y})"><text class="name" x="0" y="-12">${escapeXml(line.name)}</text>`,
    ...paintAxes(scale, measure),
    ...others,
    ...(level === undefined ? [] : [`<path class="ref" d="M0 ${level}H${panel.width}"/>`]),
    ...(line.points.some(({ quality }) => quality !== undefined) ? paintLine(line, report.file, { scale, tone }) : [noRun]),
    "</g>",
  ].join("");
}

const noRun = `<text class="key mid" x="${panel.width / 2}" y="${panel.height / 2}">no run yet</text>`;

function paintAxes({ x, y, sizes, top }: Scale, measure: ScalingReport["measure"]): string[] {
  const marks = [0, 0.25, 0.5, 0.75, 1].map((share) => share * top);
  const every = Math.ceil(sizes.length / 8);
  return [
    ...marks.map((mark) => `<path class="grid" d="M0 ${y(mark)}H${panel.width}"/>`),
    ...marks.map((mark) => `<text class="key end" x="-8" y="${y(mark) + 4}">${tick(mark, measure)}</text>`),
    ...sizes.flatMap((size, at) =>
      at % every === 0 ? [`<text class="key mid" x="${x(size)}" y="${panel.height + 18}">${size}</text>`] : [],
    ),
  ];
}

function tick(value: number, measure: ScalingReport["measure"]): string {
  if (measure === "passed") return `${(100 * value).toFixed(0)} %`;
  return value >= 10_000 ? `${Number((value / 1000).toFixed(1))}k` : String(Number(value.toFixed(2)));
}

function paintLine(line: ScalingLine, file: ExperimentFile, { scale, tone }: { scale: Scale; tone: string }): string[] {
  const fit = drawnFit(line, file);
  const { x, y } = scale;
  const means = line.points.flatMap(({ size, quality }) => (quality === undefined ? [] : [{ size, ...quality }]));
  const intervals = means.flatMap(({ size, interval }) => (interval === undefined ? [] : [{ size, ...interval }]));
  const band = [
    ...intervals.map(({ size, high }) => `${x(size)} ${y(high)}`),
    ...[...intervals].reverse().map(({ size, low }) => `${x(size)} ${y(low)}`),
  ];
  return [
    ...(intervals.length > 1 ? [`<path class="band ${tone}" d="M${band.join("L")}Z"/>`] : []),
    ...intervals.map(({ size, low, high }) => `<path class="cap ${tone}" d="M${x(size)} ${y(low)}V${y(high)}"/>`),
    ...(fit === undefined ? [] : [`<path class="fit ${tone}" d="${curveOf(fit, means, scale)}"/>`]),
    `<path class="line ${tone}" d="${wayOf(line.points, scale)}"/>`,
    ...means.map(({ size, mean }) => `<circle class="dot ${tone}" cx="${x(size)}" cy="${y(mean)}" r="4.5"/>`),
  ];
}

type Fitted = Extract<ScalingLine["fit"], { kind: "fitted" }>;

/** The fitted curve, when it shows a change: a curve that the runs don't determine would only mislead the eye. */
function drawnFit(line: ScalingLine, file: ExperimentFile): Fitted | undefined {
  return line.fit.kind === "fitted" && whatFitShows(line, file).kind === "change" ? line.fit : undefined;
}

const steps = 48;

function curveOf({ qualityAt }: Fitted, means: readonly { readonly size: number }[], { x, y }: Scale): string {
  const [low, high] = [Math.log2(means[0]?.size ?? 1), Math.log2(means.at(-1)?.size ?? 1)];
  const sizes = Array.from({ length: steps + 1 }, (_, i) => 2 ** (low + ((high - low) * i) / steps));
  return `M${sizes.map((size) => `${x(size)} ${y(qualityAt(size))}`).join("L")}`;
}

function wayOf(points: readonly ScalingPoint[], { x, y }: Scale): string {
  const places = points.flatMap(({ size, quality }) => (quality === undefined ? [] : [`${x(size)} ${y(quality.mean)}`]));
  return places.length === 0 ? "" : `M${places.join("L")}`;
}
