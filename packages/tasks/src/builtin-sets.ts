/** A task set that is shipped with the package. */
export interface BuiltinSet {
  readonly name: string;
  /** One line for people. */
  readonly description: string;
}

/** The task sets that {@link loadTasks} knows by name. */
export const builtinSets: readonly BuiltinSet[] = Object.freeze([
  { name: "starter", description: "30 coding tasks, from one function to a three-file program (Python, JavaScript, TypeScript)" },
  { name: "programs", description: "3 command-line programs that a small model with a run-and-fix loop can write" },
]);

/** Where the lines of a built-in set lie. */
export function builtinSetUrl(name: string): URL | undefined {
  return builtinSets.some((set) => set.name === name) ? new URL(`../data/${name}.jsonl`, import.meta.url) : undefined;
}
