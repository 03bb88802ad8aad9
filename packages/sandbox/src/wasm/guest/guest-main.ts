import * as assertModule from "./assert.ts";
import { EventEmitter } from "./events.ts";
import * as fs from "./fs.ts";
import * as path from "./path.ts";
import * as testRunner from "./test-runner.ts";
import { tree, workspace } from "./tree.ts";
import * as util from "./util.ts";

/** All of the host that the guest can call. */
export interface HostCalls {
  print(descriptor: number, text: string): void;
  exit(code: number): void;
  /** The value of a script inside the guest; `file` is for stack traces. */
  evaluate(code: string, file: string): unknown;
}

/** What the guest is told at the start. */
export interface BootOrder {
  /** Texts by absolute path; bytes that are no text stay with the host. */
  readonly files: Readonly<Record<string, string>>;
  /** CommonJS made of the scripts among them, as pairs of path and code. */
  readonly compiled: readonly (readonly [file: string, code: string])[];
  readonly argv: readonly string[];
  readonly stdin: string;
}

interface Timer {
  readonly due: number;
  readonly call: () => void;
  readonly every: number | undefined;
}

const timers = new Map<number, Timer>();
const state = { exitCode: 0, timer: 0, evaluate: (_code: string, _file: string): unknown => undefined };

/** Lays the tree out and makes the globals that programs of Node expect. */
export function boot(json: string, host: HostCalls): void {
  const order = JSON.parse(json) as BootOrder;
  state.evaluate = host.evaluate;
  fs.standardInput.text = order.stdin;
  for (const [file, text] of Object.entries(order.files)) {
    fs.mkdirSync(path.dirname(file), { recursive: true });
    tree.files.set(file, text);
  }
  for (const [file, code] of order.compiled) compiled.set(file, { source: tree.files.get(file) ?? "", code });
  testRunner.tally.print = (line) => host.print(1, `${line}\n`);
  const process = makeProcess(order, host);
  const globals = {
    ...makeTimers(),
    process,
    console: makeConsole(host),
    global: globalThis,
    require: requireFrom(`${workspace}/main.js`),
  };
  for (const [name, value] of Object.entries(globals))
    Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
  Object.assign(builtins, { process });
}

/** Makes `require`, `module` and `exports` those of the main file, which is run as a script. */
export function enterMain(file: string): void {
  const module = { exports: {}, filename: file, id: "." };
  const require = Object.assign(requireFrom(file), { main: module });
  const names = { module, exports: module.exports, require, __filename: file, __dirname: path.dirname(file) };
  for (const [name, value] of Object.entries(names)) Object.defineProperty(globalThis, name, { value, writable: true, configurable: true });
}

/** Runs the timers that are due; returns milliseconds until the next one, or -1 when there is none. */
export function runTimers(): number {
  const now = Date.now();
  for (const [id, timer] of [...timers].sort(([, a], [, b]) => a.due - b.due)) {
    if (timer.due > now || !timers.has(id)) continue;
    if (timer.every === undefined) timers.delete(id);
    else timers.set(id, { ...timer, due: now + timer.every });
    timer.call();
    break;
  }
  const next = Math.min(...[...timers.values()].map((timer) => timer.due));
  return next === Number.POSITIVE_INFINITY ? -1 : Math.max(0, next - Date.now());
}

/** Waits for declared tests; the exit code when all else is done. */
export async function finish(): Promise<number> {
  await testRunner.settle();
  const { passed, failed, print } = testRunner.tally;
  if (passed + failed > 0) print(`# tests ${passed + failed}\n# pass ${passed}\n# fail ${failed}`);
  return failed > 0 ? 1 : state.exitCode;
}

/** The tree of the workspace as JSON: text by relative path. */
export function dumpTree(): string {
  const inside = [...tree.files].filter(([file]) => file.startsWith(`${workspace}/`));
  return JSON.stringify(inside.map(([file, text]) => [file.slice(workspace.length + 1), text]));
}

/** An error as Node prints it when nobody catches it. */
export function describeError(error: unknown): string {
  return error instanceof Error ? `Uncaught ${error.name}: ${error.message}\n${error.stack ?? ""}` : `Uncaught ${util.inspect(error)}`;
}

// Programs may use any export of these.
const whole = { assertModule, path, testRunner };
const assert = Object.assign((value: unknown, message?: string) => assertModule.ok(value, message), whole.assertModule);
const strict = Object.assign((value: unknown, message?: string) => assertModule.ok(value, message), whole.assertModule, {
  equal: assertModule.strictEqual,
  notEqual: assertModule.notStrictEqual,
  deepEqual: assertModule.deepStrictEqual,
  notDeepEqual: assertModule.notDeepStrictEqual,
});
Object.assign(assert, { strict });
Object.assign(strict, { strict });

const builtins: Record<string, unknown> = {
  assert,
  "assert/strict": strict,
  events: Object.assign(EventEmitter, { EventEmitter }),
  fs,
  "fs/promises": fs.promises,
  os: { EOL: "\n", tmpdir: () => "/tmp", homedir: () => workspace, platform: () => "wasm", cpus: () => [] },
  path: Object.assign({ posix: path }, whole.path),
  readline: { createInterface: () => lineReader() },
  test: Object.assign(testRunner.test, whole.testRunner, { default: testRunner.test }),
  url: {
    fileURLToPath: (url: string) => url.replace(/^file:\/\//, ""),
    pathToFileURL: (file: string) => ({ href: `file://${file}`, pathname: file }),
  },
  util,
};

const loaded = new Map<string, { exports: unknown }>();

function requireFrom(from: string): (name: string) => unknown {
  return (name) => {
    const builtin = builtins[name.replace(/^node:/, "")];
    if (builtin !== undefined) return builtin;
    const file = name.startsWith(".") || name.startsWith("/") ? locate(path.resolve(path.dirname(from), name)) : undefined;
    if (file === undefined)
      throw Object.assign(new Error(`Cannot find module '${name}'\nRequire stack:\n- ${from}`), { code: "MODULE_NOT_FOUND" });
    return loadFile(file);
  };
}

function locate(file: string): string | undefined {
  return [file, `${file}.js`, `${file}.json`, `${file}.cjs`, `${file}.mjs`, `${file}/index.js`].find((each) => tree.files.has(each));
}

function loadFile(file: string): unknown {
  const known = loaded.get(file);
  if (known !== undefined) return known.exports;
  const text = tree.files.get(file) ?? "";
  const module: { exports: unknown; filename: string } = { exports: {}, filename: file };
  loaded.set(file, module);
  if (file.endsWith(".json")) {
    module.exports = JSON.parse(text);
    return module.exports;
  }
  const code = compiled.get(file)?.source === text ? compiled.get(file)?.code : text;
  const run = state.evaluate(`(function (exports, require, module, __filename, __dirname) {${code}\n})`, file) as (
    ...given: unknown[]
  ) => void;
  run(module.exports, requireFrom(file), module, file, path.dirname(file));
  return module.exports;
}

// By file, with the source that it was made of: a file that the program wrote anew is loaded as it is.
const compiled = new Map<string, { source: string; code: string }>();

function makeProcess(order: BootOrder, host: HostCalls): object {
  const write = (descriptor: number) => (text: unknown) => {
    host.print(descriptor, String(text));
    return true;
  };
  const process = Object.assign(new EventEmitter(), {
    argv: order.argv,
    env: {},
    platform: "wasm",
    version: "v20.0.0",
    versions: { node: "20.0.0" },
    pid: 1,
    stdin: makeStdin(order.stdin),
    stdout: { write: write(1), isTTY: false, columns: 80 },
    stderr: { write: write(2), isTTY: false, columns: 80 },
    cwd: () => workspace,
    exit: (code?: number) => host.exit(code ?? state.exitCode),
    nextTick: (call: (...given: unknown[]) => void, ...given: unknown[]) => void Promise.resolve().then(() => call(...given)),
    uptime: () => 0,
    memoryUsage: () => ({ heapUsed: 0, rss: 0, heapTotal: 0, external: 0 }),
    hrtime: Object.assign(() => [Math.floor(Date.now() / 1000), (Date.now() % 1000) * 1e6], {
      bigint: () => BigInt(Date.now()) * 1_000_000n,
    }),
  });
  const setExitCode = (code: number) => {
    state.exitCode = Number(code);
  };
  return Object.defineProperty(process, "exitCode", { get: () => state.exitCode, set: setExitCode });
}

function makeStdin(text: string): object {
  const stdin = Object.assign(new EventEmitter(), { setEncoding: () => undefined, resume: () => undefined, fd: 0, isTTY: false });
  const on = stdin.on.bind(stdin);
  stdin.on = (name, listener) => {
    on(name, listener);
    if (name === "data" && text !== "") schedule(() => listener(text), 0, undefined);
    if (name === "end") schedule(() => listener(), 0, undefined);
    return stdin;
  };
  const chunks = async function* () {
    if (text !== "") yield text;
  };
  return Object.defineProperty(stdin, Symbol.asyncIterator, { value: chunks });
}

function makeConsole(host: HostCalls): object {
  const out = (...values: unknown[]) => host.print(1, `${util.format(...values)}\n`);
  const err = (...values: unknown[]) => host.print(2, `${util.format(...values)}\n`);
  const assertion = (value: unknown, ...rest: unknown[]) => (value ? undefined : err("Assertion failed", ...rest));
  const silent = () => undefined;
  return {
    log: out,
    info: out,
    debug: out,
    table: out,
    dir: out,
    group: out,
    groupEnd: silent,
    error: err,
    warn: err,
    trace: err,
    assert: assertion,
    time: silent,
    timeEnd: silent,
  };
}

function makeTimers(): Record<string, unknown> {
  const clear = (timer?: { id: number } | null) => void timers.delete(timer?.id ?? 0);
  return {
    setTimeout: (call: (...given: unknown[]) => void, delay = 0, ...given: unknown[]) => schedule(() => call(...given), delay, undefined),
    setInterval: (call: (...given: unknown[]) => void, delay = 0, ...given: unknown[]) =>
      schedule(() => call(...given), delay, Math.max(1, delay)),
    setImmediate: (call: (...given: unknown[]) => void, ...given: unknown[]) => schedule(() => call(...given), 0, undefined),
    clearTimeout: clear,
    clearInterval: clear,
    clearImmediate: clear,
    queueMicrotask: (call: () => void) => void Promise.resolve().then(call),
    structuredClone: (value: unknown): unknown => JSON.parse(JSON.stringify(value)),
    performance: { now: () => Date.now() },
  };
}

function schedule(call: () => void, delay: number, every: number | undefined): { id: number; unref(): void; ref(): void } {
  state.timer += 1;
  const id = state.timer;
  timers.set(id, { due: Date.now() + Math.max(0, Number(delay) || 0), call, every });
  return { id, unref: () => void timers.delete(id), ref: () => undefined };
}

function lineReader(): object {
  const lines = fs.standardInput.text.split("\n");
  if (lines.at(-1) === "") lines.pop();
  const reader = Object.assign(new EventEmitter(), {
    close: () => undefined,
    question: (_prompt: string, answer: (line: string) => void) => answer(lines.shift() ?? ""),
    async *[Symbol.asyncIterator]() {
      yield* lines;
    },
  });
  schedule(
    () => {
      for (const line of lines) reader.emit("line", line);
      reader.emit("close");
    },
    0,
    undefined,
  );
  return reader;
}
