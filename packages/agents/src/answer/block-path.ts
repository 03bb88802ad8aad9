import type { FencedBlock } from "./fenced-blocks.ts";

/** Where a block says it belongs. */
export interface BlockPath {
  /** As the model wrote it, `./` removed; not checked yet. */
  readonly path: string;
  /** The block's lines without a first line that only named the path. */
  readonly lines: readonly string[];
}

const extensions =
  "py|pyi|js|mjs|cjs|jsx|ts|mts|cts|tsx|json|jsonl|txt|md|csv|tsv|html|htm|css|ya?ml|toml|ini|cfg|sql|xml|svg|sh|env|log|dat";
const pathText = String.raw`[\w@.:\\/+-]*[\w-]\.(?:${extensions})`;
const wholePath = new RegExp(`^${pathText}$`, "i");
const labelled = /^(?:file[ -]?(?:name|path)?|path|title|name)\s*[:=]\s*/i;
const comment = new RegExp(
  String.raw`^\s*(?:#+|//+|--|/\*+|<!--|;|%)\s*(?:(?:file[ -]?(?:name|path)?|path)\s*:?\s*)?["'\x60*]*(${pathText})["'\x60*]*\s*(?:\*/|-->|:)?\s*$`,
  "i",
);
const described = new RegExp(String.raw`^\s*(?:#|//)\s*(${pathText})\s*(?:[-–—:(].*)$`, "i");
const inProse = new RegExp(String.raw`(?<![\w/.\\-])(${pathText})(?![\w/\\-])`, "gi");
/** Names of techniques that look like files. */
const notFiles = /^(node|next|vue|express|react|three|d3|nuxt|deno)\.js$/i;

/**
 * Finds the path that a block is meant for: in its info string (`python main.py`, `python:main.py`, `filename="main.py"`),
 * in the line before the fence (`**main.py**`, `### File: main.py`), or in a first comment (`# main.py`).
 */
export function pathOfBlock(block: FencedBlock): BlockPath | undefined {
  const first = (block.lines[0] ?? "").slice(0, 300);
  const inComment = comment.exec(first)?.[1];
  const path = pathInInfo(block.info) ?? pathInHeading(block.before) ?? inComment ?? described.exec(first)?.[1];
  if (path === undefined) return undefined;
  const names = inComment !== undefined && clean(inComment) === clean(path);
  return { path: clean(path), lines: names ? block.lines.slice(1) : block.lines };
}

/** The path in an info string. */
function pathInInfo(info: string): string | undefined {
  const words = info.replace(/[{}()[\]]/g, " ").split(/[\s,]+/);
  for (const word of words) {
    const bare = unquote(word.replace(labelled, ""));
    if (wholePath.test(bare) && !bare.includes(":")) return bare;
    const afterTag = /^[\w+#-]+:(.+)$/.exec(bare)?.[1];
    if (afterTag !== undefined && wholePath.test(unquote(afterTag))) return unquote(afterTag);
  }
  return undefined;
}

/** The path in the line before a fence: the whole line, or the only file that a sentence ending in a colon names. */
function pathInHeading(line: string): string | undefined {
  const bare = unquote(
    line
      .replace(/^(?:[#>*+\s-]|\d+[.)]\s)+/, "")
      .replace(/[\s*_:]+$/, "")
      .replace(/^[*_`]+/, "")
      .replace(labelled, ""),
  );
  if (wholePath.test(bare)) return bare;
  const named = [...new Set([...line.matchAll(inProse)].map((match) => match[1] ?? ""))].filter((path) => !notFiles.test(path));
  const introduces = /^[#*]/.test(line) || /:[*_\s]*$/.test(line) || /`[^`]+`[*_\s]*$/.test(line);
  return named.length === 1 && introduces ? named[0] : undefined;
}

function unquote(text: string): string {
  return text.replace(/^["'`*_]+|["'`*_]+$/g, "").trim();
}

function clean(path: string): string {
  return path.replace(/^(?:\.\/)+/, "");
}
