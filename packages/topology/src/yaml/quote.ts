// Characters that a terminal obeys instead of showing: control codes and the marks that turn the direction of writing.
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu;
const longest = 60;

/** Text from a file made fit for a terminal: what a terminal would obey becomes a space, length unchanged. */
export function printable(text: string): string {
  return text.replace(unprintable, " ");
}

/** A value from a file as a message names it, short and harmless. */
export function quote(value: unknown): string {
  if (value === undefined || value === null) return "nothing";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value === "object") return Object.keys(value).length === 0 ? "an empty mapping" : "a mapping";
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value !== "string") return `a ${typeof value}`;
  const shown = value.length > longest ? `${value.slice(0, longest)}…` : value;
  return `"${printable(shown)}"`;
}

/** Quoted words in a row, cut after the first few. */
export function quoteList(words: readonly string[], most = 12): string {
  const shown = words.slice(0, most).map((word) => quote(word));
  return words.length > most ? `${shown.join(", ")} and ${words.length - most} more` : shown.join(", ");
}
