import type { CompiledTopology } from "../compiled-topology.ts";
import { textWidth, tonesOf } from "./drawing.ts";
import { escapeXml } from "./escape-xml.ts";
import { toneCount } from "./svg-style.ts";

/** One entry of the legend. */
export interface Key {
  readonly shape: "box" | "pill" | "join";
  readonly tone: number;
  readonly text: string;
}

const mostActors = 6;

/** The legend of a topology: its actors by colour, its critics and its aggregator. */
export function keysOf(topology: CompiledTopology): Key[] {
  const actors = [...tonesOf(topology)].map(([agent, tone]): Key => ({ shape: "box", tone, text: agent }));
  if (topology.director === "fixed") return actors.slice(0, mostActors);
  const critics = new Set(topology.edges.flatMap(({ rule }) => rule.critic ?? []));
  return [
    ...actors.slice(0, mostActors),
    ...[...critics].slice(0, 3).map((text): Key => ({ shape: "pill", tone: 0, text: `${text}: reviews along the edge` })),
    ...(topology.aggregator === undefined ? [] : [{ shape: "join", tone: 0, text: `${topology.aggregator}: merges what meets` } as const]),
  ];
}

/** About how wide a legend is, in pixels. */
export function keysWidth(keys: readonly Key[]): number {
  return keys.reduce((sum, { text }) => sum + stepOf(text), 0);
}

/** Paints a legend in one line. */
export function paintKeys(keys: readonly Key[], { left, y }: { left: number; y: number }): string {
  let x = left;
  return keys
    .map(({ shape, tone, text }) => {
      const at = x;
      x += stepOf(text);
      const sign = signOf(shape, at, y, tone);
      return `${sign}<text class="key" x="${at + 20}" y="${y}">${escapeXml(text)}</text>`;
    })
    .join("\n");
}

function signOf(shape: Key["shape"], x: number, y: number, tone: number): string {
  if (shape === "box") return `<rect class="box t${tone % toneCount}" x="${x}" y="${y - 9}" width="13" height="10" rx="3"/>`;
  if (shape === "pill") return `<rect class="pill" x="${x}" y="${y - 8.5}" width="14" height="9" rx="4.5"/>`;
  return `<circle class="join" cx="${x + 7}" cy="${y - 4}" r="5"/>`;
}

function stepOf(text: string): number {
  return Math.ceil(textWidth(text, 11)) + 38;
}
