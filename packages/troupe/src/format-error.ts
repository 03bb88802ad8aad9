/** An error as the terminal shows it: the message and its code; a fault of Troupe itself with its stack. */
export function formatError(thrown: unknown): string {
  if (!(thrown instanceof Error)) return `troupe: ${String(thrown)}`;
  const code = "code" in thrown && typeof thrown.code === "string" ? thrown.code : undefined;
  if (code === undefined || !("exit" in thrown) || code === "internal") return `troupe: ${thrown.stack ?? thrown.message}`;
  return `troupe: ${thrown.message} [${code}]`;
}
