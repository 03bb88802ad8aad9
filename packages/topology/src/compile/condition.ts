import { type ASTNode, Environment, EvaluationError, ParseError, TypeError as CheckError } from "@marcbachmann/cel-js";
import { type Artifact, TroupeError } from "@troupe/schema";
import { boundWork, TooMuchWork } from "./bound-work.ts";

/** What a condition is about. */
export interface ConditionScope {
  readonly artifact: Artifact;
  /** Round of the innermost loop, from 1; 0 outside of loops. */
  readonly round: number;
  /** Tokens and model calls that the run has used so far. */
  readonly tokens: number;
  readonly calls: number;
}

/** A checked condition. */
export interface Condition {
  readonly text: string;
  /**
   * Whether it holds.
   *
   * @throws TroupeError `condition_failed` when it asks for what is not there, such as a key that the JSON lacks.
   */
  holds(of: ConditionScope): boolean;
}

/** What is wrong with the text of a condition, and where in it. */
export interface ConditionFault {
  readonly message: string;
  readonly offset: number;
  readonly length: number;
  readonly hint?: string;
}

/** How deep the JSON may be nested that a condition looks into. */
const mostDepth = 100;

/** What a condition may speak of, for messages. */
export const conditionForms =
  "a CEL expression that is true or false, over `artifact.kind`, `.text`, `.choice`, `.json`, `.files`, `.bytes`, and `round`, `tokens`, `calls`";

const limits = { maxAstNodes: 300, maxDepth: 30 };

const environment = new Environment({ limits })
  .registerVariable("artifact", {
    schema: { kind: "string", text: "string", choice: "string", json: "dyn", files: "map<string, string>", bytes: "int" },
  })
  .registerVariable("round", "int")
  .registerVariable("tokens", "int")
  .registerVariable("calls", "int");

/**
 * Reads a condition in the Common Expression Language: closed, without side effects, and it always ends. It is evaluated over an artifact
 * and the run's counters, and bounded in what it does; regular expressions are left out, because what a model wrote could keep one busy for ever.
 *
 * @example
 * compileCondition('artifact.choice == "yes" || round >= 3');
 */
export function compileCondition(text: string): Condition | ConditionFault {
  const { valid, type, error } = environment.check(text);
  if (!valid) return faultOf(error, text);
  if (type !== "bool" && type !== "dyn") return { ...whole(text), message: `it gives ${type ?? "no value"}, not true or false` };
  const evaluate = environment.parse(text);
  const pattern = findPattern(evaluate.ast);
  if (pattern !== undefined) {
    const hint = "use contains, startsWith or endsWith";
    return { ...placeOf(pattern.range), message: "`matches` is not available: a pattern can take for ever", hint };
  }
  const allow = boundWork(evaluate.ast);
  return Object.freeze({
    text,
    holds: (of: ConditionScope) => {
      allow();
      return decide(text, () => evaluate(contextOf(of)) as unknown);
    },
  });
}

function decide(text: string, evaluate: () => unknown): boolean {
  let value: unknown;
  try {
    value = evaluate();
  } catch (thrown) {
    // Whatever the library throws: the artifact was written by a model, and must not be able to end more than its run.
    throw failed(text, whyOf(thrown), thrown);
  }
  if (typeof value !== "boolean") throw failed(text, "it gave a value that is neither true nor false");
  return value;
}

function whyOf(thrown: unknown): string {
  if (thrown instanceof TooMuchWork) return "it looks at too much; compare fewer items with each other, or shorter texts";
  if (thrown instanceof EvaluationError || thrown instanceof CheckError) return `${thrown.summary}${hintFor(thrown)}`;
  return thrown instanceof Error ? thrown.message : "it fails";
}

function hintFor({ code, summary }: { code: string; summary: string }): string {
  if (code === "no_such_key") return ". Ask with has(…) first whether it is there";
  return /double.* int|int.* double/.test(summary) ? ". A number of JSON is a double: write 1.0 for 1, or int(…) around it" : "";
}

function failed(text: string, why: string, cause?: unknown): TroupeError {
  return new TroupeError("condition_failed", `The condition \`${text}\` can't be decided: ${why}.`, { cause });
}

/**
 * The artifact with every part there, empty where its kind has none, so that conditions need not ask for the kind first. Objects are maps: an
 * object with a key such as `constructor` is not taken for one by the library.
 */
function contextOf({ artifact, round, tokens, calls }: ConditionScope) {
  const files = artifact.kind === "files" ? artifact.files : [];
  const json = artifact.kind === "json" ? toMaps(artifact.value) : null;
  return {
    artifact: {
      kind: artifact.kind,
      text: artifact.kind === "text" ? artifact.text : "",
      choice: artifact.kind === "choice" ? artifact.choice : "",
      json,
      files: new Map(files.map(({ path, content }) => [path, content])),
      bytes: BigInt(Buffer.byteLength(JSON.stringify(artifact))),
    },
    round: BigInt(round),
    tokens: BigInt(tokens),
    calls: BigInt(calls),
  };
}

type Json = Extract<Artifact, { kind: "json" }>["value"];

function toMaps(value: Json, depth = 0): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= mostDepth) throw new RangeError(`the JSON is nested more than ${mostDepth} deep`);
  if (Array.isArray(value)) return value.map((item) => toMaps(item, depth + 1));
  return new Map(Object.entries(value).map(([key, item]) => [key, toMaps(item, depth + 1)]));
}

function faultOf(error: unknown, text: string): ConditionFault {
  if (!(error instanceof ParseError) && !(error instanceof CheckError)) return { ...whole(text), message: "it can't be read" };
  const { summary, range, code } = error;
  if (code === "limit_exceeded") {
    const isDeep = summary.includes("maxDepth");
    return {
      ...whole(text),
      message: isDeep ? `it is nested more than ${limits.maxDepth} deep` : `it has more than ${limits.maxAstNodes} parts`,
    };
  }
  return { ...(range === undefined ? whole(text) : placeOf(range)), message: summary.charAt(0).toLowerCase() + summary.slice(1) };
}

function findPattern(node: unknown): ASTNode | undefined {
  if (Array.isArray(node)) return node.map(findPattern).find((found) => found !== undefined);
  if (typeof node !== "object" || node === null || !("op" in node) || !("args" in node)) return undefined;
  const { op, args } = node as ASTNode;
  if ((op === "rcall" || op === "call") && args[0] === "matches") return node as ASTNode;
  return findPattern(args);
}

function placeOf({ start, end }: { start: number; end: number }): { offset: number; length: number } {
  return { offset: start, length: Math.max(1, end - start) };
}

function whole(text: string): { offset: number; length: number } {
  return { offset: 0, length: text.length };
}
