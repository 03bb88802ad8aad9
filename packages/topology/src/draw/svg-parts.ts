import { type Box, type Drawing, type Point, textWidth, type Wire } from "./drawing.ts";
import { escapeXml } from "./escape-xml.ts";
import { toneCount } from "./svg-style.ts";

/** A coordinate with one digit after the point: a tenth of a pixel is not seen, and files stay small. */
export function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A node as a rounded box with its name and agent, and green dots where artifacts are merged. */
export function paintBox(box: Box, direction: Drawing["direction"]): string {
  const { x, y, width, height, title, subtitle, tone, merges } = box;
  const reach = direction === "down" ? { x: 0, y: height / 2 } : { x: width / 2, y: 0 };
  return [
    `<rect class="box t${tone % toneCount}" x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${round(width)}" height="${height}" rx="11"/>`,
    `<text class="id mid" x="${round(x)}" y="${round(y - 2)}">${escapeXml(title)}</text>`,
    `<text class="agent mid" x="${round(x)}" y="${round(y + 14)}">${escapeXml(subtitle)}</text>`,
    merges.before ? paintJoin({ x: x - reach.x, y: y - reach.y }) : "",
    merges.behind ? paintJoin({ x: x + reach.x, y: y + reach.y }) : "",
  ].join("");
}

/** A node as a dot that names itself when pointed at, and always where there is room. */
export function paintDot({ x, y, width, title, subtitle, tone }: Box): string {
  const label = escapeXml(`${title} (${subtitle})`);
  const dot = `<circle class="t${tone % toneCount}" cx="${round(x)}" cy="${round(y)}" r="${round(width / 2)}"><title>${label}</title></circle>`;
  const size = Math.min(12, (width * 0.85) / Math.max(1.4, textWidth(title, 1)));
  if (size < 7) return dot;
  return `${dot}<text class="id mid" style="font-size:${round(size)}px" x="${round(x)}" y="${round(y + size * 0.36)}">${escapeXml(title)}</text>`;
}

/** An edge as a smooth line with an arrow head. */
export function paintWire({ points }: Wire, direction: Drawing["direction"]): string {
  return `<path class="wire" marker-end="url(#head)" d="${smoothPath(points, direction)}"/>`;
}

/** The edges of a large drawing as thin lines, the fainter the more there are, so that dense places show as such. */
export function paintThinWires(wires: readonly Wire[]): string[] {
  const opacity = Math.max(0.04, Math.min(0.7, 10 / Math.sqrt(wires.length + 1)));
  const lines = wires.map(({ points }) => `<path d="${bentPath(points)}"/>`);
  return [`<g class="wire thin" stroke-opacity="${opacity.toFixed(2)}">`, ...lines, "</g>"];
}

/** The critic of an edge: a pill with its name, or a dot. */
export function paintBadge({ badge }: Wire): string {
  if (badge === undefined) return "";
  const { x, y, text, width } = badge;
  if (text === "") return `<circle class="pill" cx="${round(x)}" cy="${round(y)}" r="4"/>`;
  const pill = `<rect class="pill" x="${round(x - width / 2)}" y="${round(y - 9)}" width="${round(width)}" height="18" rx="9"/>`;
  return `${pill}<text class="badge mid" x="${round(x)}" y="${round(y + 3.7)}">${escapeXml(text)}</text>`;
}

function paintJoin({ x, y }: Point): string {
  return `<circle class="join" cx="${round(x)}" cy="${round(y)}" r="5"/>`;
}

/** A line through all points that runs in the drawing's direction at each of them. */
function smoothPath(points: readonly Point[], direction: Drawing["direction"]): string {
  const [first, ...rest] = points;
  let last = first ?? { x: 0, y: 0 };
  const curves = rest.map((point) => {
    const middle = direction === "down" ? (last.y + point.y) / 2 : (last.x + point.x) / 2;
    const [a, b] =
      direction === "down"
        ? [
            { x: last.x, y: middle },
            { x: point.x, y: middle },
          ]
        : [
            { x: middle, y: last.y },
            { x: middle, y: point.y },
          ];
    last = point;
    return `C${at(a)} ${at(b)} ${at(point)}`;
  });
  return first === undefined ? "" : `M${at(first)}${curves.join("")}`;
}

/** A line between two points that a third one between them pulls to its side. */
function bentPath([first, ...rest]: readonly Point[]): string {
  const last = rest.at(-1);
  const [pull] = rest;
  if (first === undefined || last === undefined || pull === undefined) return "";
  return pull === last ? `M${at(first)}L${at(last)}` : `M${at(first)}Q${at(pull)} ${at(last)}`;
}

function at({ x, y }: Point): string {
  return `${round(x)} ${round(y)}`;
}
