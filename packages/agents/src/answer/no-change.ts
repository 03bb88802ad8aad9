import { isPraise } from "./read-verdict.ts";

/** Whether an answer without files says that nothing needs to change. */
export function saysNoChange(text: string): boolean {
  const trimmed = text.trim();
  return /^[\W_]*no[ _-]changes?\b/i.test(trimmed) || (trimmed.length < 400 && isPraise(trimmed));
}
