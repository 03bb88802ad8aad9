import type { Grader } from "@troupe/schema";

/** What the hidden test of a published Python function set is made of. */
export interface FunctionTest {
  /** The product's file. */
  readonly entry: string;
  /** Lines that run before the product. */
  readonly before: readonly string[];
  /** Lines that run after it, in the same namespace. */
  readonly after: readonly string[];
}

/** The grader of a published Python function set: product and checks share one namespace, as they did where the set was published. */
export function functionGrader({ entry, before, after }: FunctionTest): Grader {
  const file = `test_${entry}`;
  const lines = [
    "import sys",
    "",
    "# The product is a module here: what it guards with __main__ must not run.",
    '__name__ = "product"',
    'sys.modules["product"] = sys.modules["__main__"]',
    "",
    ...before,
    `with open(${JSON.stringify(entry)}, encoding="utf-8") as file:`,
    "    source = file.read()",
    `exec(compile(source, ${JSON.stringify(entry)}, "exec"), globals())`,
    "",
    ...after,
    "",
  ];
  return {
    kind: "tests",
    files: [{ path: file, encoding: "utf8", content: lines.join("\n").replaceAll("\r\n", "\n") }],
    command: { program: "python", args: [file] },
    seconds: 30,
  };
}
