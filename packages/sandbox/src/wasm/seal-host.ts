import { createRequire, syncBuiltinESMExports } from "node:module";

/** Modules of Node that reach files, processes, the network, code, or other threads. */
const sealedModules = [
  "child_process",
  "cluster",
  "dgram",
  "dns",
  "dns/promises",
  "fs",
  "fs/promises",
  "http",
  "http2",
  "https",
  "inspector",
  "module",
  "net",
  "os",
  "process",
  "readline",
  "repl",
  "tls",
  "trace_events",
  "tty",
  "v8",
  "vm",
  "wasi",
  "worker_threads",
];

/** Functions of the process that must stay, because Node itself calls them at the end. */
const keptProcess = new Set(["emit", "on", "once", "off", "listeners", "listenerCount", "nextTick", "emitWarning", "hrtime"]);

const sealedGlobals = [
  "fetch",
  "Headers",
  "Request",
  "Response",
  "FormData",
  "WebSocket",
  "EventSource",
  "XMLHttpRequest",
  "BroadcastChannel",
  "Worker",
  "navigator",
  "require",
  "gc",
];

const sealedWebAssembly = ["Module", "Instance", "compile", "compileStreaming", "instantiate", "instantiateStreaming"];

/**
 * Takes everything from this process that could reach outside of it: Node's modules refuse every call, the global objects
 * of the network are gone, `process` is a stub, no code can be made from text or bytes.
 *
 * It can't be undone. Whoever finds a way from the guest to objects of the host finds them empty.
 *
 * @returns a function that ends the process, the only thing that still works.
 */
export function sealHost(): (code: number) => never {
  const { process: host } = globalThis;
  // Unlike `exit`, it calls no listeners, which are sealed.
  const end = Reflect.get(host, "reallyExit") as (code: number) => never;
  const { platform, version, versions } = process;
  const load = createRequire(import.meta.url);
  const modules = sealedModules.map((name): unknown => load(name));
  for (const module of modules) sealObject(module, module === host ? keptProcess : new Set());
  syncBuiltinESMExports();
  for (const name of sealedGlobals) Reflect.deleteProperty(globalThis, name);
  const compilers: unknown = Reflect.get(globalThis, "WebAssembly");
  if (typeof compilers === "object" && compilers !== null) {
    for (const name of sealedWebAssembly) Object.defineProperty(compilers, name, { value: refuse });
  }
  // Without it, a hook of stack traces is handed the functions of every frame.
  Object.defineProperty(Error, "prepareStackTrace", { value: undefined, writable: false, configurable: false });
  const stub = { platform, version, versions: { ...versions }, argv: [], env: {}, stdin: { fd: 0 }, getuid: () => 1000, umask: () => 0o22 };
  Object.defineProperty(globalThis, "process", { value: stub, configurable: false, writable: false });
  return end.bind(host);
}

function refuse(): never {
  throw new Error("the host is sealed");
}

function sealObject(target: unknown, kept: ReadonlySet<string>, depth = 0): void {
  if ((typeof target !== "object" && typeof target !== "function") || target === null || depth > 2) return;
  for (const name of Object.getOwnPropertyNames(target)) {
    const property = Object.getOwnPropertyDescriptor(target, name);
    if (kept.has(name) || name === "prototype" || property?.configurable !== true) continue;
    sealProperty(target, name, property, depth);
  }
}

function sealProperty(target: object, name: string, property: PropertyDescriptor, depth: number): void {
  const value: unknown = property.value;
  if (typeof value === "object") sealObject(value, new Set(), depth + 1);
  else if (typeof value === "function") Object.defineProperty(target, name, { value: refuse, configurable: false });
  else if (property.get !== undefined) Object.defineProperty(target, name, { value: undefined, configurable: false });
}
