import type { ProblemText } from "./place.ts";

/** The most bytes a YAML file may have. */
export const maxFileBytes = 1_000_000;

/** A text, or what keeps the bytes from being one. */
export type Decoded = { readonly text: string } | { readonly fault: ProblemText };

/** Bytes or text of a YAML file as text without a byte order mark; refuses what is too big, binary or empty. */
export function decodeText(content: string | Uint8Array): Decoded {
  const bytes = typeof content === "string" ? Buffer.byteLength(content) : content.byteLength;
  if (bytes > maxFileBytes) return { fault: tooBig };
  const text = typeof content === "string" ? content.replace(/^\uFEFF/, "") : decodeUtf8(content);
  if (text === undefined || text.includes("\0")) return { fault: binary };
  if (text.trim() === "") return { fault: { message: "the file is empty", code: "file_invalid" } };
  return { text };
}

const tooBig: ProblemText = {
  message: "the file is too big to be read",
  expected: `at most ${maxFileBytes / 1e6} MB of YAML`,
  code: "file_unreadable",
};

const binary: ProblemText = { message: "the file is binary, not text", expected: "YAML in UTF-8", code: "file_unreadable" };

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
