import { plotStyle, toneCount } from "./plot-style.ts";
import type { ExperimentReport, SystemReport } from "./summarize.ts";
import { escapeXml, round } from "./svg-text.ts";

const margin = 28;
const header = 86;
const rowHeight = 38;
const axis = { width: 380, foot: 48 };
const figures = 150;
const labels = { least: 90, most: 300, letter: 8.2 };

/**
 * Draws the share that passed of each system with its interval, as an SVG file that stands alone and follows the reader's light or dark
 * theme.
 */
export function plotShares(report: ExperimentReport): string {
  const { file, systems } = report;
  const longest = Math.max(...systems.map(({ name }) => name.length * labels.letter));
  const label = Math.ceil(Math.min(labels.most, Math.max(labels.least, longest)));
  const left = margin + label + 16;
  const width = left + axis.width + figures + margin;
  const height = header + systems.length * rowHeight + axis.foot + margin / 2;
  const bottom = header + systems.length * rowHeight;
  const subtitle = subtitleOf(report);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t d">`,
    `<title id="t">${escapeXml(file.name)}</title><desc id="d">${escapeXml(describe(report))}</desc><style>${plotStyle}</style>`,
    `<rect class="page" width="${width}" height="${height}" rx="14"/>`,
    `<text class="title" x="${margin}" y="38">${escapeXml(file.name)}</text><text class="sub" x="${margin}" y="58">${escapeXml(subtitle)}</text>`,
    ...[0, 20, 40, 60, 80, 100].map((mark) => paintMark(mark, left, bottom)),
    ...systems.map((system, at) => paintSystem(system, at, { left, label })),
    `<text class="key mid" x="${round(left + axis.width / 2)}" y="${bottom + 40}">passed, %</text>`,
    "</svg>\n",
  ].join("\n");
}

function subtitleOf({ file, tasks, seeds, done, total }: ExperimentReport): string {
  const level = (100 * (1 - file.statistics.alpha)).toFixed(0);
  const state = done === total ? `${total} runs` : `${done} of ${total} runs done`;
  const words = [
    `share passed, ${level} % Wilson interval`,
    `${tasks} ${tasks === 1 ? "task" : "tasks"} × ${seeds} ${seeds === 1 ? "seed" : "seeds"}`,
    state,
  ];
  return words.join(" · ");
}

function describe({ systems }: ExperimentReport): string {
  return systems.map(({ name, passed, graded }) => `${name}: ${passed} of ${graded} passed`).join("; ");
}

function paintMark(mark: number, left: number, bottom: number): string {
  const x = round(left + (axis.width * mark) / 100);
  return `<path class="grid" d="M${x} ${header - 8}V${bottom}"/><text class="key mid" x="${x}" y="${bottom + 20}">${mark}</text>`;
}

function paintSystem(
  { name, passed, graded, interval }: SystemReport,
  at: number,
  { left, label }: { left: number; label: number },
): string {
  const y = header + at * rowHeight + rowHeight / 2 - 4;
  const fits = Math.floor(label / labels.letter);
  const shown = name.length > fits ? `…${name.slice(1 - fits)}` : name;
  const text = `<text class="id" x="${left - 16}" y="${y + 4.5}"><title>${escapeXml(name)}</title>${escapeXml(shown)}</text>`;
  const end = left + axis.width + 18;
  if (graded === 0) return `${text}<text class="figure" x="${end}" y="${y + 4.5}">no graded run</text>`;
  const place = (share: number): number => round(left + axis.width * share);
  const [low, high, dot] = [place(interval.low), place(interval.high), place(passed / graded)];
  const tone = `t${at % toneCount}`;
  return [
    text,
    `<path class="bar ${tone}" d="M${low} ${y}H${high}"/><path class="cap ${tone}" d="M${low} ${y - 5}v10M${high} ${y - 5}v10"/>`,
    `<circle class="dot ${tone}" cx="${dot}" cy="${y}" r="6"/>`,
    `<text class="figure" x="${end}" y="${y + 4.5}">${((100 * passed) / graded).toFixed(1)} %  (${passed} / ${graded})</text>`,
  ].join("");
}
