import { stripVTControlCharacters } from "node:util";

/** Controls but line feed and tab, format characters that reorder or hide text around them, halves of characters, odd line ends. */
const hazards = /(?![\n\t])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text from a model or a program as a terminal may show it: without escape sequences, control characters and characters that reorder
 * what stands around them. Line feeds and tabs stay.
 */
export function plainText(text: string): string {
  return stripVTControlCharacters(text).replace(/\r\n?/g, "\n").replace(hazards, "");
}

/** The same on one line: all white space is one space. */
export function oneLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim();
}

/** The last line of a text with something on it, as {@link oneLine}; looks at the end of the text only. */
export function lastLine(text: string): string {
  const lines = plainText(text.slice(-2000)).split("\n");
  return oneLine(lines.findLast((line) => line.trim() !== "") ?? "");
}

/** A value as one line of JSON that no terminal can take for a command. */
export function jsonLine(value: unknown): string {
  return `${JSON.stringify(value).replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;
}
