const quoted = /`([^`\n]{2,80})`|"([^"\n]{2,80})"|(?<![\w'])'([^'\n]{2,80})'(?!\w)/g;
const identifiers = /\b(?:[A-Za-z]\w*_\w+|[a-z]+\d*[A-Z]\w*|[A-Za-z]\w*(?=\(\))|\w+\.(?:py|[cm]?[jt]s|json|txt|md))\b/g;
/** Shorter ones turn up in every change. */
const leastLength = 3;

/** The words of a critique that name something of the code: what stands in quotes or backticks, and identifiers. */
export function namedWords(critique: string): string[] {
  const inQuotes = [...critique.matchAll(quoted)].map(([, tick, double, single]) => (tick ?? double ?? single ?? "").trim());
  const words = [...inQuotes, ...(critique.match(identifiers) ?? [])].map((word) => word.replace(/\(\)$/, ""));
  return [...new Set(words.filter((word) => word.length >= leastLength))];
}
