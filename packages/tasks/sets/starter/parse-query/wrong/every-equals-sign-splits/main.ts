export function parseQuery(query: string): Record<string, string[]> {
  const parsed: Record<string, string[]> = {};
  for (const part of query.replace(/^\?/, "").split("&")) {
    if (part === "") continue;
    const [key = "", value = ""] = part.split("=").map((text) => decodeURIComponent(text.replaceAll("+", " ")));
    parsed[key] = [...(parsed[key] ?? []), value];
  }
  return parsed;
}
