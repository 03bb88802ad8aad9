import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Sandbox, SandboxJob, SandboxResult } from "@troupe/schema";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { currentHost } from "./host.ts";
import { openSandbox } from "./open-sandbox.ts";
import { wasm } from "./wasm.ts";

const live = new AbortController().signal;
const folder = mkdtempSync(join(tmpdir(), "troupe-test-wasm-"));
const secretFile = join(folder, "secret.txt");
const marker = join(folder, "escaped");
let server: Server;
let visits = 0;
let sandbox: Sandbox;

beforeAll(async () => {
  writeFileSync(secretFile, "host secret");
  server = createServer((socket) => {
    visits += 1;
    socket.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  sandbox = await openSandbox(wasm, currentHost(), live);
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});

function run(program: "python" | "node", code: string, more: Partial<SandboxJob> = {}): Promise<SandboxResult> {
  const path = program === "python" ? "main.py" : "main.js";
  const files = [{ path, encoding: "utf8" as const, content: code }];
  return sandbox.run({ files, command: { program, args: [path] }, ...more, limits: { seconds: 20, ...more.limits } }, live);
}

function port(): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Each attack is the body of a Python function; what it returns that is true is an escape. */
const pythonAttacks: Readonly<Record<string, string>> = {
  "reads files of the host": `
    found = []
    for path in ["/etc/passwd", "/etc/hostname", SECRET, HOME, "/proc/self/environ", "/mnt", "/usr/bin/env"]:
        try: found.append(os.listdir(path) if os.path.isdir(path) else open(path).read())
        except OSError: pass
    return [each for each in found if each]`,
  "imports a bridge module": `return importable(BRIDGES)`,
  "imports a bridge module after the import hooks are restored": `
    saved = sys.meta_path[:]
    sys.meta_path[:] = [importlib.machinery.BuiltinImporter, importlib.machinery.FrozenImporter, importlib.machinery.PathFinder]
    sys.path_importer_cache.clear()
    try:
        import zipimport
        zipimport._zip_directory_cache.clear()
        return importable(BRIDGES)
    finally: sys.meta_path[:] = saved`,
  "makes a built-in bridge module by hand": `
    import _imp
    made = []
    for name in BRIDGES + ["_socket", "_posixsubprocess", "_testcapi", "_testinternalcapi"]:
        try:
            module = _imp.create_builtin(importlib.machinery.ModuleSpec(name, importlib.machinery.BuiltinImporter, origin="built-in"))
            _imp.exec_builtin(module)
            made.append((name, list(vars(module))))
        except Exception: pass
    return made`,
  "calls pyodide.code.run_js": `
    from pyodide.code import run_js
    return run_js("process.pid")`,
  "mounts the host by pyodide_js.mountNodeFS": `
    import pyodide_js
    pyodide_js.mountNodeFS("/host", "/etc")
    return os.listdir("/host")`,
  "reaches process by the constructor of a constructor": `
    import pyodide_js
    return pyodide_js.FS.constructor.constructor("return process")().pid`,
  "reaches process by js": `
    import js
    return js.process.pid`,
  "finds bridge objects with the garbage collector": `
    kinds = tuple(kind for kind in bridge_types() if kind.__name__.startswith(("JsProxy", "JsException", "JsDoubleProxy", "JsOnceCallable")))
    held = [each for one in gc.get_objects() for each in [one, *gc.get_referents(one)]]
    calls = {"create_proxy", "create_once_callable", "to_js", "raw_call", "run_sync", "run_js", "destroy_proxies"}
    return [repr(each)[:80] for each in held if type(each) in kinds or (isinstance(each, types.BuiltinFunctionType) and each.__name__ in calls)]`,
  "makes bridge objects of their types": `
    made = []
    for kind in bridge_types():
        ways = [lambda: kind(), lambda: kind("x"), lambda: kind.__new__(kind), lambda: object.__new__(kind),
                lambda: Exception.__new__(kind), lambda: type("Sub", (kind,), {})(), lambda: copyreg.__newobj__(kind)]
        for way in ways:
            try: made.append((kind.__name__, str(type(way()))))
            except (TypeError, AttributeError, RuntimeError, NameError): pass
    return made`,
  "uses the converters that the core keeps": `
    results = []
    for one in gc.get_objects():
        for each in gc.get_referents(one):
            for name in ("py2js_convert", "js2py_convert", "pre_convert", "post_convert", "copy"):
                if type(each).__name__ in ("Py2JsConverter", "Js2PyConverter") and hasattr(each, name): results.append(name)
    return results`,
  "finds the bridge on the stack": `
    frame, found = sys._getframe(), []
    while frame is not None:
        found += [name for name in list(frame.f_globals) + list(frame.f_locals) if name in ("js", "pyodide_js", "to_js", "JsProxy", "run_js")]
        if "pyodide" in frame.f_code.co_filename: found.append(frame.f_code.co_filename)
        frame = frame.f_back
    return found`,
  "finds the bridge in a traceback or in modules": `
    names = [name for name, module in list(sys.modules.items()) if name.split(".")[0] in ("js", "pyodide", "_pyodide", "pyodide_js", "_pyodide_core")]
    for module in list(sys.modules.values()):
        names += [key for key, value in list(vars(module).items()) if type(value).__name__.startswith("JsProxy")] if hasattr(module, "__dict__") else []
    return names`,
  "calls C functions by ctypes": `
    import ctypes
    return ctypes.CDLL(None).system(b"touch " + MARKER.encode())`,
  "starts a program by subprocess": `
    import subprocess
    return subprocess.run(["touch", MARKER]).returncode == 0`,
  "starts a program by os": `
    return [name for name in ("system", "popen", "fork", "execv", "posix_spawn", "spawnv", "kill") if name != "spawnv" and hasattr(os, name)]`,
  "opens a socket": `
    import socket
    socket.create_connection(("127.0.0.1", PORT), timeout=1).send(b"x")
    return True`,
  "listens on a socket": `
    import socket
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0)); listener.listen()
        return listener.getsockname()`,
  "fetches by urllib": `
    import urllib.request
    return urllib.request.urlopen(f"http://127.0.0.1:{PORT}/").read()`,
  "fetches by pyfetch": `
    import asyncio
    from pyodide.http import pyfetch
    return asyncio.run(pyfetch(f"http://127.0.0.1:{PORT}/"))`,
  "fetches by pyxhr": `
    from pyodide.http import pyxhr
    return pyxhr.get(f"http://127.0.0.1:{PORT}/")`,
  "starts a thread": `
    import threading
    thread = threading.Thread(target=print); thread.start()
    return True`,
  "finds a bridge in a finaliser": `
    seen = []
    class Last:
        def __del__(self):
            try:
                import js
                seen.append(js)
            except ImportError: pass
    Last(); gc.collect()
    return seen`,
  "reads the host's environment": `return [name for name in os.environ if name not in ("HOME", "LANG", "PATH", "PWD", "PYTHONHASHSEED", "PYTHONDONTWRITEBYTECODE")]`,
};

function attackProgram(attacks: Readonly<Record<string, string>>): string {
  const head = `
import copyreg, gc, importlib, importlib.machinery, json, os, sys, types, warnings
warnings.simplefilter("ignore")
SECRET, HOME, MARKER, PORT = ${JSON.stringify(secretFile)}, ${JSON.stringify(homedir())}, ${JSON.stringify(marker)}, ${port()}
BRIDGES = ["js", "pyodide_js", "pyodide", "pyodide.ffi", "pyodide.code", "pyodide.http", "_pyodide", "_pyodide._base", "_pyodide_core", "ctypes", "_ctypes", "_remote_debugging"]

def importable(names):
    found = []
    for name in names:
        try: importlib.import_module(name); found.append(name)
        except ImportError: pass
    return found

def bridge_types():
    seen, todo = set(), [object]
    while todo:
        for each in type.__subclasses__(todo.pop()):
            if each not in seen: seen.add(each); todo.append(each)
    names = ("JsFuncSignature", "Py2JsConverter", "Js2PyConverter", "JsMethodCallSingleton")
    native = lambda each: str(getattr(each, "__module__", "")) == "pyodide.ffi" and not issubclass(each, type) and not "firstlineno" in str(vars(each))
    return [each for each in seen if each.__name__ in names or (native(each) and each.__name__ not in ("JsNull",))]
`;
  const bodies = Object.values(attacks).map((body, index) => `def attack_${index}():\n    ${body.trim()}\n`);
  const loop = `
for index in range(${bodies.length}):
    try: escaped = globals()[f"attack_{index}"]()
    except BaseException as error: escaped = None
    print(json.dumps([index, repr(escaped)[:400] if escaped else ""]), flush=True)
`;
  return `${head}\n${bodies.join("\n")}\n${loop}`;
}

describe("wasm holds Python that", () => {
  let results: Map<number, string>;

  beforeAll(async () => {
    const result = await run("python", attackProgram(pythonAttacks));
    expect(result).toMatchObject({ ended: "exited", exitCode: 0, stderr: "" });
    results = new Map(
      result.stdout
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as [number, string]),
    );
  }, 120_000);

  it.each(Object.keys(pythonAttacks).map((name, index) => [name, index] as const))("%s", (_name, index) => {
    expect(results.get(index)).toBe("");
  });

  it("did any of it: nothing was started, nobody was visited", () => {
    expect(existsSync(marker)).toBe(false);
    expect(visits).toBe(0);
  });

  it("runs a command by a module that it made anew", async () => {
    const code = `
import _imp, importlib.machinery
posix = _imp.create_builtin(importlib.machinery.ModuleSpec("posix", importlib.machinery.BuiltinImporter))
print("system is there", hasattr(posix, "system"), flush=True)
print(posix.system("touch ${marker}"))`;
    const result = await run("python", code);
    expect(result.stdout).not.toMatch(/^0$/m);
    expect(existsSync(marker)).toBe(false);
  }, 60_000);

  it("fills its disk and its memory, and prints for ever", async () => {
    const code = `
import sys
try:
    with open("fill", "wb") as file:
        while True: file.write(bytes(1 << 20))
except OSError as error:
    print(error.strerror, flush=True)
try:
    data = bytearray(1 << 30)
except MemoryError:
    print("no memory", flush=True)
while True:
    print("x" * 4096)`;
    const result = await run("python", code, { limits: { fileMb: 4, memoryMb: 128, outputBytes: 4096, seconds: 30 } });
    expect(result.stdout).toMatch(/^No space left on device\nno memory\n/);
    expect(result).toMatchObject({ ended: "killed", truncated: true });
  }, 90_000);

  it("loops for ever", async () => {
    const result = await run("python", "while True: pass", { limits: { seconds: 0.5 } });
    expect(result).toMatchObject({ ended: "timeout", exitCode: null, files: [{ path: "main.py" }] });
  }, 60_000);
});

describe("wasm holds JavaScript that", () => {
  const escapes: Readonly<Record<string, string>> = {
    "finds process by the constructor of a constructor": "(() => {}).constructor.constructor('return process')().mainModule",
    "finds Node's process": "process.binding ?? process.dlopen ?? process.getBuiltinModule",
    "requires child_process": "require('child_process')",
    "requires worker_threads": "require('node:worker_threads')",
    "reads /etc/passwd": "require('fs').readFileSync('/etc/passwd', 'utf8')",
    "reads the secret": `require('fs').readFileSync(${JSON.stringify(secretFile)}, 'utf8')`,
    "climbs out of its workspace": "require('fs').readdirSync('../../etc')",
    "requires a file of the host": `require(${JSON.stringify(secretFile)})`,
    "imports the host's modules": "await import('node:child_process').then((m) => m.execSync)",
    "reaches the network": "globalThis.fetch ?? globalThis.WebSocket ?? globalThis.XMLHttpRequest",
    "finds the host by an error's stack": "Error.prepareStackTrace === undefined ? undefined : Error.prepareStackTrace",
    "finds another global object":
      "globalThis.Buffer ?? globalThis.WebAssembly ?? globalThis.SharedArrayBuffer?.constructor('return this')().process.binding",
  };

  it("tries every way out", async () => {
    const names = Object.keys(escapes);
    const bodies = Object.values(escapes).map((body) => `async () => (${body})`);
    const code = `
const attacks = [${bodies.join(",\n")}];
for (const [index, attack] of attacks.entries()) {
  let found;
  try { found = await attack(); } catch (error) { found = undefined; }
  console.log(JSON.stringify([index, found === undefined ? "" : String(found).slice(0, 200)]));
}`;
    const result = await run("node", code);
    const escaped = result.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as [number, string]);
    expect(escaped.map(([index]) => names[index])).toEqual(names);
    expect(escaped.filter(([, found]) => found !== "").map(([index, found]) => `${names[index]}: ${found}`)).toEqual([]);
  });

  it("loops for ever, and keeps its files", async () => {
    const result = await run("node", "require('fs').writeFileSync('early', 'x'); for (;;);", { limits: { seconds: 0.3 } });
    expect(result).toMatchObject({ ended: "timeout", exitCode: null });
    expect(result.files.map((file) => file.path)).toEqual(["early", "main.js"]);
  });

  it("takes all memory", async () => {
    const result = await run("node", "const all = []; for (;;) all.push(new Array(10000).fill(1.5));", { limits: { memoryMb: 64 } });
    expect(result.ended).toBe("memory");
  });

  it("calls itself for ever", async () => {
    const result = await run("node", "const f = () => f() + 1; try { f() } catch (e) { console.log(e.message) }");
    expect(result.stdout).toBe("stack overflow\n");
  });

  it("prints for ever", async () => {
    const result = await run("node", "for (;;) console.log('x'.repeat(4096))", { limits: { outputBytes: 1024, seconds: 5 } });
    expect(result).toMatchObject({ ended: "killed", truncated: true });
  });
});
