/** A value as text, the way `console.log` shows it. */
export function inspect(value: unknown, _options?: unknown, depth = 0, seen: readonly unknown[] = []): string {
  if (typeof value === "function") return inspectFunction(value as (...given: never[]) => unknown);
  if (!isObject(value)) return inspectPrimitive(value);
  if (seen.includes(value)) return "[Circular *1]";
  if (depth > 2) return Array.isArray(value) ? "[Array]" : `[${className(value)}]`;
  return inspectObject(value, (inner) => inspect(inner, undefined, depth + 1, [...seen, value]));
}

/** Text with `%s`, `%d`, `%j`, `%o` filled in, and the rest appended. */
export function format(...values: unknown[]): string {
  const [first, ...rest] = values;
  if (typeof first !== "string") return values.map(show).join(" ");
  const filled = first.replace(/%[sdifjoO%]/g, (mark) => (mark === "%%" ? "%" : rest.length === 0 ? mark : fill(mark, rest.shift())));
  return [filled, ...rest.map(show)].join(" ");
}

/** Whether two values are equal in structure, in the strict sense of `assert.deepStrictEqual`. */
export function isDeepStrictEqual(left: unknown, right: unknown): boolean {
  return deepEqual(left, right, Object.is);
}

/** Structural equality with a rule for primitive values. */
export function deepEqual(left: unknown, right: unknown, same: (a: unknown, b: unknown) => boolean): boolean {
  if (!isObject(left) || !isObject(right)) return same(left, right);
  if (left === right) return true;
  if (Object.getPrototypeOf(left) !== Object.getPrototypeOf(right) && same === Object.is) return false;
  const [first, second] = [essence(left), essence(right)];
  if (first !== undefined || second !== undefined) return deepEqual(first, second, same);
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const keys = Object.keys(left);
  const others = new Set(Object.keys(right));
  return (
    keys.length === others.size && keys.every((key) => others.has(key) && deepEqual(Reflect.get(left, key), Reflect.get(right, key), same))
  );
}

// What counts of an object whose content is not in its properties.
function essence(value: object): unknown {
  if (value instanceof Date) return value.getTime();
  if (value instanceof RegExp || value instanceof Error) return String(value);
  if (value instanceof Map || value instanceof Set) return [...value].sort(byText);
  return undefined;
}

/** A function with a callback as one that returns a promise. */
export function promisify(call: (...given: unknown[]) => void): (...given: unknown[]) => Promise<unknown> {
  return (...given) =>
    new Promise((resolve, reject) => call(...given, (error: unknown, value: unknown) => (error ? reject(error) : resolve(value))));
}

export function inherits(child: { prototype: object }, parent: { prototype: object }): void {
  Object.setPrototypeOf(child.prototype, parent.prototype);
}

export const types = Object.freeze({
  isPromise: (value: unknown) => value instanceof Promise,
  isDate: (value: unknown) => value instanceof Date,
  isRegExp: (value: unknown) => value instanceof RegExp,
});

function inspectFunction(value: (...given: never[]) => unknown): string {
  const name = value.name === "" ? "(anonymous)" : value.name;
  if (Function.prototype.toString.call(value).startsWith("class")) return `[class ${name}]`;
  return value.name === "" ? `[Function ${name}]` : `[Function: ${name}]`;
}

function inspectPrimitive(value: unknown): string {
  if (typeof value === "string") return quote(value);
  if (typeof value === "bigint") return `${value}n`;
  return Object.is(value, -0) ? "-0" : String(value);
}

// Objects without a prototype have no constructor, whatever the types say.
function className(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value);
  return isObject(prototype) ? prototype.constructor.name : "[Object: null prototype]";
}

function inspectObject(value: object, inner: (value: unknown) => string): string {
  if (value instanceof Error) return `${value.name}: ${value.message}\n${value.stack ?? ""}`.trimEnd();
  if (value instanceof Date) return value.toISOString();
  if (value instanceof RegExp) return String(value);
  if (value instanceof Promise) return "Promise {}";
  if (Array.isArray(value)) return wrap("[", value.map(inner), "]");
  if (value instanceof Map)
    return `Map(${value.size}) ${wrap(
      "{",
      [...value].map(([key, each]) => `${inner(key)} => ${inner(each)}`),
      "}",
    )}`;
  if (value instanceof Set) return `Set(${value.size}) ${wrap("{", [...value].map(inner), "}")}`;
  const name = className(value);
  const entries = Object.entries(value).map(([key, each]) => `${/^[A-Za-z_$][\w$]*$/.test(key) ? key : quote(key)}: ${inner(each)}`);
  return (name === "Object" ? "" : `${name} `) + wrap("{", entries, "}");
}

function wrap(open: string, parts: readonly string[], close: string): string {
  if (parts.length === 0) return open + close;
  const line = `${open} ${parts.join(", ")} ${close}`;
  if (line.length <= 72 && !line.includes("\n")) return line;
  return `${open}\n${parts.map((part) => `  ${part.replaceAll("\n", "\n  ")}`).join(",\n")}\n${close}`;
}

function quote(text: string): string {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return text.includes("'") && !text.includes('"') ? `"${escaped}"` : `'${escaped.replaceAll("'", "\\'")}'`;
}

function show(value: unknown): string {
  return typeof value === "string" ? value : inspect(value);
}

function fill(mark: string, value: unknown): string {
  if (mark === "%d" || mark === "%f") return String(Number(value));
  if (mark === "%i") return String(Math.trunc(Number(value)));
  if (mark === "%j") return String(JSON.stringify(value));
  return show(value);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function byText(left: unknown, right: unknown): number {
  return inspect(left) < inspect(right) ? -1 : 1;
}
