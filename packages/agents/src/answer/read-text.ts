import { readFencedBlocks } from "./fenced-blocks.ts";

/** An answer as plain text: trimmed, and out of its fence when all of it stands in one; undefined when empty. */
export function readText(text: string): string | undefined {
  const trimmed = text.replace(/\r\n?/g, "\n").trim();
  const [block, second] = /^(```|~~~)/.test(trimmed) ? readFencedBlocks(trimmed) : [];
  const isWrapped =
    block !== undefined && second === undefined && /^(|text|markdown|md|txt|plaintext)$/i.test(block.info) && /(```|~~~)$/.test(trimmed);
  const inner = isWrapped ? block.lines.join("\n").trim() : trimmed;
  return inner === "" ? undefined : inner;
}
