/** One fenced code block of an answer. */
export interface FencedBlock {
  /** What stands after the opening fence, trimmed. */
  readonly info: string;
  /** The lines inside, without the indent of the fence. */
  readonly lines: readonly string[];
  /** The last line of prose before the fence, at most one blank line away; empty when there is none. */
  readonly before: string;
  /** Whether the block has an end: a closing fence, or the next opening one. */
  readonly closed: boolean;
}

interface OpenBlock {
  readonly indent: number;
  readonly marker: string;
  readonly info: string;
  readonly before: string;
  readonly lines: string[];
  /** How many fences are open inside a Markdown file. */
  inner: number;
}

/** Longest piece of an info string or heading that is looked at: what follows is no path, and patterns stay cheap. */
const maxHead = 300;
const fence = /^([ \t]*)(`{3,}|~{3,})([^`]*)$/;

/**
 * Finds the fenced blocks of a text as language models write them: indented or not, closed or not,
 * Markdown files with blocks of their own inside. Never throws.
 */
export function readFencedBlocks(text: string): FencedBlock[] {
  const blocks: FencedBlock[] = [];
  const lines = toLines(text);
  let open: OpenBlock | undefined;
  let proseFrom = 0;
  for (const [index, line] of lines.entries()) {
    const found = fence.exec(line);
    if (open === undefined) {
      if (found !== null) open = openBlock(found, lastProse(lines, proseFrom, index));
      continue;
    }
    const end = found === null ? "no" : endsBlock(open, found);
    if (end === "no") {
      open.lines.push(withoutIndent(line, open.indent));
      continue;
    }
    const heading = end === "reopens" ? headingOf(open) : undefined;
    if (heading === undefined) blocks.push({ info: open.info, lines: open.lines, before: open.before, closed: true });
    proseFrom = index + 1;
    open = end === "reopens" && found !== null ? openBlock(found, heading ?? "") : undefined;
  }
  if (open !== undefined) blocks.push({ info: open.info, lines: open.lines, before: open.before, closed: false });
  return blocks;
}

/** The lines of a text, whatever its line ends are. */
export function toLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

function openBlock(found: RegExpExecArray, before: string): OpenBlock {
  const [, indent = "", marker = "```", info = ""] = found;
  return { indent: indent.length, marker, info: info.trim().slice(0, maxHead), before, lines: [], inner: 0 };
}

function endsBlock(open: OpenBlock, found: RegExpExecArray): "no" | "closes" | "reopens" {
  const [, , marker = "", rest = ""] = found;
  if (marker[0] !== open.marker[0] || marker.length < open.marker.length) return "no";
  const isBare = rest.trim() === "";
  if (isMarkdown(open)) {
    if (!isBare) open.inner++;
    else if (open.inner === 0) return "closes";
    else open.inner--;
    return "no";
  }
  if (isBare) return "closes";
  // A fence with a language tag inside code means that the closing fence before it was forgotten.
  return /^[\w+#.:/-]+( \S+)?$/.test(rest.trim()) ? "reopens" : "no";
}

/** The one line of a block that was opened too early: the path that belongs to the fence after it. */
function headingOf(open: OpenBlock): string | undefined {
  const written = open.lines.filter((line) => line.trim() !== "");
  const [only] = written;
  return written.length === 1 && only !== undefined && /^\S+\.\w{1,5}$/.test(only.trim().slice(0, maxHead)) ? only.trim() : undefined;
}

function isMarkdown(block: OpenBlock): boolean {
  return /^(markdown|md)\b|\.md\b/i.test(block.info) || (block.info === "" && /\.md\b/i.test(block.before));
}

function lastProse(lines: readonly string[], from: number, to: number): string {
  for (const index of [to - 1, to - 2]) {
    const line = index >= from ? (lines[index] ?? "").trim() : "";
    if (line !== "") return line.slice(-maxHead);
  }
  return "";
}

function withoutIndent(line: string, indent: number): string {
  let cut = 0;
  while (cut < indent && /[ \t]/.test(line[cut] ?? "")) cut++;
  return line.slice(cut);
}
