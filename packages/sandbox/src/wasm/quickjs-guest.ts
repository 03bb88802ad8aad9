import type { FileEntry } from "@troupe/schema";
import { EvalFlags, getQuickJS, type QuickJSContext, type QuickJSHandle, type QuickJSRuntime } from "quickjs-emscripten";
import type { ChildJob, ChildReport } from "./channel.ts";
import { toCommonJs } from "./guest-sources.ts";

type Print = (descriptor: 1 | 2, text: string) => void;

const workspace = "/workspace/";
const stackBytes = 256 * 1024;
const endMilliseconds = 5000;
const evalAsync = EvalFlags.JS_EVAL_TYPE_GLOBAL | evalAsyncFlag();

/** A JavaScript engine in WebAssembly with one program in it. The guest is given text and numbers, never an object of ours. */
export class QuickJsGuest {
  readonly #job: ChildJob;
  readonly #runtime: QuickJSRuntime;
  readonly #vm: QuickJSContext;
  readonly #print: Print;
  readonly #boot: QuickJSHandle;
  #deadline = Number.POSITIVE_INFINITY;
  #exited: number | undefined;
  #ended: ChildReport["ended"] = "exited";

  /** Loads the engine and the modules that stand in for Node's; nothing of the program runs yet. */
  static async create(job: ChildJob, modules: ReadonlyMap<string, string>, print: Print): Promise<QuickJsGuest> {
    const engine = await getQuickJS();
    return new QuickJsGuest(job, engine.newRuntime(), modules, print);
  }

  private constructor(job: ChildJob, runtime: QuickJSRuntime, modules: ReadonlyMap<string, string>, print: Print) {
    this.#job = job;
    this.#runtime = runtime;
    this.#print = print;
    runtime.setMemoryLimit(job.memoryMb * 2 ** 20);
    runtime.setMaxStackSize(stackBytes);
    runtime.setInterruptHandler(() => this.#exited !== undefined || Date.now() > this.#deadline);
    runtime.setModuleLoader((name) => modules.get(name.replace(/^.*\//, "")) ?? { error: new Error(`no module ${name}`) });
    this.#vm = runtime.newContext();
    this.#boot = this.#vm.unwrapResult(this.#vm.evalCode('export * from "./guest-main.js"', "entry.js", { type: "module" }));
  }

  /** Runs the program to its end, or to its time limit. */
  run(scripts: ReadonlyMap<string, string>): ChildReport {
    this.#deadline = Date.now() + this.#job.milliseconds;
    const exitCode = this.#runProgram(scripts);
    this.#exited = undefined;
    this.#deadline = Date.now() + endMilliseconds;
    return { ended: this.#ended, exitCode, files: this.#readBack() };
  }

  #runProgram(scripts: ReadonlyMap<string, string>): number {
    try {
      this.#bootGuest(scripts);
      for (const [file, code] of this.#mainScripts(scripts)) {
        this.#call("enterMain", this.#vm.newString(file));
        this.#settle(this.#unwrap(this.#vm.evalCode(code, file, evalAsync)));
      }
      const code = this.#settle(this.#call("finish"));
      return this.#exited ?? Number(this.#vm.dump(code));
    } catch (error) {
      if (this.#exited !== undefined) return this.#exited;
      if (Date.now() > this.#deadline) this.#ended = "timeout";
      const text = error instanceof Error ? error.message : String(error);
      if (/out of memory/.test(text)) this.#ended = "memory";
      this.#print(2, `${text}\n`);
      return 1;
    }
  }

  #bootGuest(scripts: ReadonlyMap<string, string>): void {
    const vm = this.#vm;
    const files = Object.fromEntries(textFiles(this.#job.files).map((file) => [workspace + file.path, file.content]));
    const compiled = [...scripts].map(([path, code]) => [workspace + path, code]);
    const argv = ["node", ...this.#job.command.args.filter((argument) => !argument.startsWith("--"))];
    const order = JSON.stringify({ files, compiled, argv, stdin: this.#job.stdin });
    const host = vm.newObject();
    const print = vm.newFunction("print", (descriptor, text) => {
      this.#print(vm.getNumber(descriptor) === 2 ? 2 : 1, vm.getString(text));
    });
    const exit = vm.newFunction("exit", (code) => {
      this.#exited = vm.getNumber(code) & 0xff;
      return { error: vm.newError("the program has ended") };
    });
    const evaluate = vm.newFunction("evaluate", (code, file) => vm.evalCode(vm.getString(code), vm.getString(file)));
    vm.setProp(host, "evaluate", evaluate);
    vm.setProp(host, "print", print);
    vm.setProp(host, "exit", exit);
    this.#call("boot", vm.newString(order), host);
  }

  /** What the command names: one file, the code of `-e`, or with `--test` all test files. */
  #mainScripts(scripts: ReadonlyMap<string, string>): [file: string, code: string][] {
    const { args } = this.#job.command;
    const inline = args.findIndex((argument) => ["-e", "--eval", "-p", "--print"].includes(argument));
    if (inline >= 0) return [[`${workspace}[eval]`, toCommonJs(args[inline + 1] ?? "")]];
    const named = args.filter((argument) => !argument.startsWith("-")).map((argument) => argument.replace(/^(\.\/|\/workspace\/)+/, ""));
    if (args.includes("--test")) {
      const tests = named.length > 0 ? named : [...scripts.keys()].filter((path) => /(^|[./-])test([./-]|s?\/|$)/.test(path));
      return tests.map((path) => [workspace + path, scripts.get(path) ?? missing(path)]);
    }
    const [main] = named;
    if (main === undefined) throw new Error("node: no file to run was named");
    const path = [main, `${main}.js`, `${main}/index.js`].find((each) => scripts.has(each)) ?? main;
    return [[workspace + path, scripts.get(path) ?? missing(path)]];
  }

  /** Runs promises and timers until nothing is left, then gives the value of a promise or throws its reason. */
  #settle(handle: QuickJSHandle): QuickJSHandle {
    const pause = new Int32Array(new SharedArrayBuffer(4));
    for (;;) {
      const jobs = this.#runtime.executePendingJobs();
      if (jobs.error !== undefined) this.#fail(jobs.error);
      const wait = Number(this.#vm.dump(this.#call("runTimers")));
      if (wait < 0 && !this.#runtime.hasPendingJob()) break;
      if (wait > 0) Atomics.wait(pause, 0, 0, Math.min(wait, this.#deadline - Date.now() + 1));
      if (Date.now() > this.#deadline) throw new Error("the program took too long");
    }
    return this.#valueOf(handle);
  }

  #valueOf(handle: QuickJSHandle): QuickJSHandle {
    const state = this.#vm.getPromiseState(handle);
    if (state.type === "rejected") return this.#fail(state.error);
    if (state.type === "pending") return this.#vm.undefined;
    if (state.notAPromise === true) return handle;
    // A script's promise holds an object whose `value` is that of its last statement, which may be a promise again.
    const inner = this.#vm.getProp(state.value, "value");
    return this.#vm.typeof(state.value) === "object" && this.#vm.typeof(inner) === "object" ? this.#valueOf(inner) : state.value;
  }

  #call(name: string, ...given: QuickJSHandle[]): QuickJSHandle {
    return this.#unwrap(this.#vm.callFunction(this.#vm.getProp(this.#boot, name), this.#vm.undefined, ...given));
  }

  #unwrap(result: ReturnType<QuickJSContext["evalCode"]>): QuickJSHandle {
    return result.error === undefined ? result.value : this.#fail(result.error);
  }

  #fail(error: QuickJSHandle): never {
    if (this.#exited !== undefined) throw new Error("the program has ended");
    const described = this.#vm.callFunction(this.#vm.getProp(this.#boot, "describeError"), this.#vm.undefined, error);
    const text: unknown = described.error === undefined ? this.#vm.dump(described.value) : this.#vm.dump(error);
    throw new Error(typeof text === "string" ? text : JSON.stringify(text));
  }

  #readBack(): FileEntry[] {
    const binary = this.#job.files.filter((file) => !textFiles([file]).length);
    try {
      const dumped: unknown = JSON.parse(this.#vm.getString(this.#call("dumpTree")));
      const pairs = Array.isArray(dumped) ? (dumped as [string, string][]) : [];
      return [...binary, ...pairs.map(([path, content]): FileEntry => ({ path, encoding: "utf8", content }))];
    } catch {
      return [...this.#job.files];
    }
  }
}

function textFiles(files: readonly FileEntry[]): FileEntry[] {
  return files.filter((file) => file.encoding === "utf8");
}

function missing(path: string): never {
  throw new Error(`Error: Cannot find module '${workspace}${path}'`);
}

// Not among the names that the package exports, but among those that its engine knows: lets a script await at its top.
function evalAsyncFlag(): number {
  return 1 << 7;
}
