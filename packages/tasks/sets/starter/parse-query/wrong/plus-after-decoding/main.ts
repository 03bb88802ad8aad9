export function parseQuery(query: string): Record<string, string[]> {
  const parsed: Record<string, string[]> = {};
  for (const part of query.replace(/^\?/, "").split("&")) {
    if (part === "") continue;
    const cut = part.indexOf("=");
    const key = decode(cut < 0 ? part : part.slice(0, cut));
    const value = cut < 0 ? "" : decode(part.slice(cut + 1));
    parsed[key] = [...(parsed[key] ?? []), value];
  }
  return parsed;
}

function decode(text: string): string {
  return decodeURIComponent(text).replaceAll("+", " ");
}
