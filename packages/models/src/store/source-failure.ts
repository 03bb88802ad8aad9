/** Why one source can't give a model: one line for the list that the user reads in the end. */
export class SourceFailure extends Error {
  override readonly name = "SourceFailure";
}

/** One line about anything that was thrown, with the causes that name the real trouble (`ECONNREFUSED`). */
export function describeFailure(thrown: unknown): string {
  const lines: string[] = [];
  for (let error = thrown; error instanceof Error && lines.length < 3; error = error.cause) {
    const code = "code" in error && typeof error.code === "string" ? error.code : "";
    const text = error.message || code || error.name;
    lines.push(code && !text.includes(code) ? `${text} (${code})` : text);
  }
  const line = (lines.join(": ") || String(thrown)).replace(/\s+/g, " ");
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
