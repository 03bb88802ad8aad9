/**
 * The names that a pattern means, in their order; `*` stands for any letters, also for none.
 *
 * @example
 * namesLike("macnet-*-4", ["single", "macnet-chain-4", "macnet-chain-8"]); // ["macnet-chain-4"]
 */
export function namesLike(pattern: string, names: readonly string[]): string[] {
  const parts = pattern.split("*").map((part) => part.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&"));
  // A `*` that follows another adds nothing but ways to match, which a long name must not pay for.
  const whole = new RegExp(`^${parts.filter((part, i) => part !== "" || i === 0 || i === parts.length - 1).join(".*")}$`, "su");
  return names.filter((name) => whole.test(name));
}
