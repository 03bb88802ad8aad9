/** Modules compiled into the interpreter that reach the host, its memory, or the network. */
export const forbiddenBuiltins = [
  "_pyodide_core",
  "_ctypes",
  "_posixsubprocess",
  "_remote_debugging",
  "_socket",
  "_testbuffer",
  "_testcapi",
  "_testclinic",
  "_testclinic_limited",
  "_testinternalcapi",
  "_testlimitedcapi",
  "_xxtestfuzz",
  "xxsubtype",
] as const;

/** Python that ends the purge, once the host has read {@link bridgeTypesPath}. */
export const finishPurge = "del keepsake";

/**
 * Where the purge leaves addresses: a line for the dictionary that the core borrows, then lines of address, size and flags
 * for each type of bridge objects.
 */
export const bridgeTypesPath = "/run/bridge-types";

/**
 * Python that takes every bridge to JavaScript out of the interpreter. It is run in `__main__` by the C interface, so that no
 * frame of the bridge is on the stack, and leaves `__main__` empty.
 */
export const purgeBridges = `
def purge():
    import asyncio, builtins, gc, os, posix, sys, time, types, zipimport

    roots = {"js", "pyodide", "_pyodide", "pyodide_js", "_pyodide_core", "micropip"}
    forbidden = set(FORBIDDEN)

    def bridge(name):
        return name.split(".")[0] in roots

    # An own event loop in place of the browser's.
    class Selector:
        def select(self, timeout):
            if timeout is None:
                raise RuntimeError("nothing is left that the event loop could wait for")
            if timeout > 0:
                time.sleep(timeout)
            return []

    class Loop(asyncio.BaseEventLoop):
        def __init__(self):
            super().__init__()
            self._selector = Selector()

        def _process_events(self, events):
            pass

        def _write_to_self(self):
            pass

    class Policy(asyncio.events._BaseDefaultEventLoopPolicy):
        _loop_factory = Loop

    asyncio.run = asyncio.runners.run
    time.sleep = getattr(time.sleep, "__wrapped__", time.sleep)
    asyncio._set_running_loop(None)
    asyncio.events._event_loop_policy = Policy()

    # Importing: only what is frozen, built in, or on the path.
    class Gate:
        @staticmethod
        def find_spec(name, path=None, target=None):
            if bridge(name) or name in forbidden:
                raise ModuleNotFoundError(f"No module named {name!r}", name=name)

    doomed = []
    for finder in list(sys.meta_path):
        if not isinstance(finder, type) or bridge(finder.__module__):
            sys.meta_path.remove(finder)
    sys.meta_path.insert(0, Gate)
    hooks = [hook for hook in sys.path_hooks if bridge(getattr(hook, "__module__", "") or "")]
    for hook in hooks:
        sys.path_hooks.remove(hook)

    for name in [name for name in sys.modules if bridge(name)]:
        module = sys.modules.pop(name)
        if isinstance(module, types.ModuleType):
            doomed.append(vars(module))
    # Copies of module namespaces that the interpreter keeps for a second import.
    names = {"create_proxy", "to_js", "raw_call", "run_sync", "jsproxy_typedict"}
    doomed += [each for each in gc.get_objects() if type(each) is dict and names & {key for key in each if type(key) is str}]


    # The sources of the bridge modules.
    for entries in zipimport._zip_directory_cache.values():
        for entry in [entry for entry in entries if bridge(entry.replace("/", "."))]:
            del entries[entry]

    # The types of bridge objects can be found for ever, so the host makes them impossible to instantiate.
    known, open_types = set(), [object]
    while open_types:
        for each in type.__subclasses__(open_types.pop()):
            if each not in known:
                known.add(each)
                open_types.append(each)
    native = {"JsFuncSignature", "Py2JsConverter", "Js2PyConverter", "JsMethodCallSingleton"}
    bridges = [each for each in known if getattr(each, "__module__", "") == "pyodide.ffi" or each.__name__ in native]
    proxies = [each for each in bridges if not issubclass(each, type)]
    with open(TYPES_PATH, "w") as file:
        file.write(f"{id(keepsake)}\\n")
        file.write("\\n".join(f"{id(each)} {each.__basicsize__} {each.__flags__}" for each in proxies))
    for namespace in doomed:
        if namespace is not sys.modules and namespace is not vars(builtins):
            namespace.clear()
    for each in gc.get_objects():
        if bridge(str(getattr(type(each), "__module__", ""))) and isinstance(getattr(each, "__dict__", None), dict):
            vars(each).clear()

    # Whatever still holds a bridge object lets go of it, or nothing is run at all.
    proxy_types = tuple(proxies)
    def held():
        for each in gc.get_objects():
            if type(each) not in proxy_types and any(type(value) in proxy_types for value in gc.get_referents(each)):
                yield each
    for each in held():
        if type(each) is dict:
            for key in [key for key, value in each.items() if type(value) in proxy_types]:
                del each[key]
    gc.collect()
    leaks = [each for each in held() if each is not proxy_types]
    if leaks:
        raise RuntimeError(f"bridge objects are still held: {[type(each) for each in leaks]} {str(leaks)[:500]}")

    for name in ("system", "popen", "fork", "forkpty", "posix_spawn", "posix_spawnp", "execv", "execve", "kill", "killpg"):
        for module in (os, posix):
            if hasattr(module, name):
                delattr(module, name)
    for name in ("_", "USER", "LOGNAME", "PYTHONINSPECT", "LD_LIBRARY_PATH"):
        os.environ.pop(name, None)
    os.environ["PATH"] = "/usr/bin"
    sys.excepthook = sys.__excepthook__
    sys.displayhook = sys.__displayhook__
    sys.unraisablehook = sys.__unraisablehook__
    sys.settrace(None)
    sys.setprofile(None)
    for extra in [key for key in vars(builtins) if bridge(getattr(vars(builtins)[key], "__module__", "") or "")]:
        delattr(builtins, extra)
    gc.collect()

import sys, warnings
# The core holds it without owning it; the host takes it over before it is let go of.
keepsake = sys.modules["_pyodide_core"].jsproxy_typedict
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    purge()
del purge, sys, warnings
`
  .replace("FORBIDDEN", JSON.stringify(forbiddenBuiltins))
  .replace("TYPES_PATH", JSON.stringify(bridgeTypesPath));

/** Where the runner leaves the exit code, in the guest's own file system. */
export const exitCodePath = "/run/exit-code";

/** Python that runs a program the way the `python` command does, and notes its exit code. */
export function runnerSource(args: readonly string[]): string {
  return runner.replace("ARGUMENTS", JSON.stringify(JSON.stringify(args))).replace("EXIT_PATH", JSON.stringify(exitCodePath));
}

const runner = `
def launch():
    import atexit, json, os, sys, traceback, types

    arguments = json.loads(ARGUMENTS)
    plain = "buBIEsSOqvd"

    def start():
        rest = list(arguments)
        while rest and rest[0].startswith("-") and rest[0] not in ("-", "-c", "-m"):
            option = rest.pop(0)
            if option in ("-W", "-X") and rest:
                rest.pop(0)
            elif option[:2] not in ("-W", "-X") and not set(option[1:]) <= set(plain):
                sys.stderr.write(f"Unknown option: {option}\\n")
                sys.exit(2)
        kind = rest.pop(0) if rest else "-"
        if kind == "-m":
            import runpy
            sys.argv, sys.path[0:0] = rest, [os.getcwd()]
            runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
            return
        main = types.ModuleType("__main__")
        sys.modules["__main__"] = main
        if kind == "-c":
            source, name, folder = rest.pop(0), "<string>", ""
            sys.argv = ["-c", *rest]
        elif kind == "-":
            source, name, folder = sys.stdin.read(), "<stdin>", ""
            sys.argv = ["-", *rest]
        else:
            name, folder = os.path.abspath(kind), os.path.dirname(os.path.abspath(kind))
            sys.argv = [kind, *rest]
            try:
                with open(name, "rb") as file:
                    source = file.read()
            except OSError as error:
                sys.stderr.write(f"python: can't open file {name!r}: [Errno {error.errno}] {error.strerror}\\n")
                sys.exit(2)
            main.__file__ = name
        sys.path.insert(0, folder)
        exec(compile(source, name, "exec"), vars(main))

    code = 0
    try:
        start()
    except SystemExit as end:
        if isinstance(end.code, int):
            code = end.code & 0xFF
        elif end.code is not None:
            sys.stderr.write(f"{end.code}\\n")
            code = 1
    except BaseException as error:
        trace = error.__traceback__
        while trace is not None and trace.tb_frame.f_code.co_filename in ("<string>", "<frozen runpy>") and trace.tb_frame.f_code.co_name in ("launch", "start", "run_module", "_run_module_code", "_run_code"):
            trace = trace.tb_next
        traceback.print_exception(type(error), error, trace)
        code = 1
    try:
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
    except BaseException:
        code = code or 120
    with open(EXIT_PATH, "w") as file:
        file.write(str(code))

launch()
`;
