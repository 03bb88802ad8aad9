import { deepEqual as structurallyEqual, inspect, isDeepStrictEqual } from "./util.ts";

/** What a failed assertion throws. */
export class AssertionError extends Error {
  override readonly name = "AssertionError";
  readonly code = "ERR_ASSERTION";
  readonly actual: unknown;
  readonly expected: unknown;
  readonly operator: string;

  constructor(options: { message?: string | undefined; actual?: unknown; expected?: unknown; operator?: string }) {
    super(options.message ?? "The assertion failed");
    this.actual = options.actual;
    this.expected = options.expected;
    this.operator = options.operator ?? "fail";
  }
}

type Message = string | Error | undefined;

export function ok(value: unknown, message?: Message): void {
  check(Boolean(value), { actual: value, expected: true, operator: "==" }, message);
}

export function equal(actual: unknown, expected: unknown, message?: Message): void {
  check(loosely(actual, expected), { actual, expected, operator: "==" }, message);
}

export function notEqual(actual: unknown, expected: unknown, message?: Message): void {
  check(!loosely(actual, expected), { actual, expected, operator: "!=" }, message);
}

export function strictEqual(actual: unknown, expected: unknown, message?: Message): void {
  check(Object.is(actual, expected), { actual, expected, operator: "strictEqual" }, message);
}

export function notStrictEqual(actual: unknown, expected: unknown, message?: Message): void {
  check(!Object.is(actual, expected), { actual, expected, operator: "notStrictEqual" }, message);
}

export function deepEqual(actual: unknown, expected: unknown, message?: Message): void {
  check(structurallyEqual(actual, expected, loosely), { actual, expected, operator: "deepEqual" }, message);
}

export function notDeepEqual(actual: unknown, expected: unknown, message?: Message): void {
  check(!structurallyEqual(actual, expected, loosely), { actual, expected, operator: "notDeepEqual" }, message);
}

export function deepStrictEqual(actual: unknown, expected: unknown, message?: Message): void {
  check(isDeepStrictEqual(actual, expected), { actual, expected, operator: "deepStrictEqual" }, message);
}

export function notDeepStrictEqual(actual: unknown, expected: unknown, message?: Message): void {
  check(!isDeepStrictEqual(actual, expected), { actual, expected, operator: "notDeepStrictEqual" }, message);
}

export function match(text: string, pattern: RegExp, message?: Message): void {
  check(pattern.test(text), { actual: text, expected: pattern, operator: "match" }, message);
}

export function doesNotMatch(text: string, pattern: RegExp, message?: Message): void {
  check(!pattern.test(text), { actual: text, expected: pattern, operator: "doesNotMatch" }, message);
}

export function fail(message?: Message): never {
  throw message instanceof Error ? message : new AssertionError({ message: message ?? "Failed" });
}

export function throws(call: () => unknown, expected?: unknown, message?: Message): void {
  let thrown: unknown = nothing;
  try {
    call();
  } catch (error) {
    thrown = error;
  }
  judge(thrown, expected, message);
}

export function doesNotThrow(call: () => unknown): void {
  call();
}

export async function rejects(given: Promise<unknown> | (() => Promise<unknown>), expected?: unknown, message?: Message): Promise<void> {
  let thrown: unknown = nothing;
  try {
    await (typeof given === "function" ? given() : given);
  } catch (error) {
    thrown = error;
  }
  judge(thrown, expected, message);
}

const nothing = Symbol("nothing");

function judge(thrown: unknown, expected: unknown, message: Message): void {
  const text = typeof expected === "string" ? expected : message;
  check(thrown !== nothing, { actual: undefined, expected, operator: "throws" }, text ?? "Missing expected exception.");
  if (expected !== undefined && typeof expected !== "string" && !isExpected(thrown, expected)) throw thrown;
}

function isExpected(thrown: unknown, expected: unknown): boolean {
  if (expected instanceof RegExp) return expected.test(String(thrown));
  if (typeof expected === "function") {
    return (
      (expected.prototype !== undefined && thrown instanceof expected) ||
      (!(expected.prototype instanceof Error) && expected !== Error && Reflect.apply(expected, undefined, [thrown]) === true)
    );
  }
  if (typeof expected !== "object" || expected === null || typeof thrown !== "object" || thrown === null) return false;
  return Object.entries(expected).every(([key, value]) => {
    const actual: unknown = Reflect.get(thrown, key);
    return value instanceof RegExp ? value.test(String(actual)) : isDeepStrictEqual(actual, value);
  });
}

function check(holds: boolean, facts: { actual: unknown; expected: unknown; operator: string }, message: Message): void {
  if (holds) return;
  if (message instanceof Error) throw message;
  const text =
    message ?? `Expected values to satisfy ${facts.operator}:\n\n${inspect(facts.actual)}\n\nexpected:\n\n${inspect(facts.expected)}\n`;
  throw new AssertionError({ message: text, ...facts });
}

// What `==` would say, without it: nothing equals nothing, and primitives of different types are compared as numbers.
function loosely(left: unknown, right: unknown): boolean {
  if (typeof left === typeof right) return Object.is(left, right) || left === right;
  if (isNothing(left) || isNothing(right)) return isNothing(left) && isNothing(right);
  return Number(left) === Number(right);
}

function isNothing(value: unknown): boolean {
  return value === undefined || value === null;
}
