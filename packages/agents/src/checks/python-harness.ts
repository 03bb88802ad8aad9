import type { FileEntry } from "@troupe/schema";

/** Where the harness lies beside the files of a run; never part of a product. */
export const harnessPath = "_troupe_check.py";

/**
 * Runs Python tests, whatever their style (unittest classes, plain `test_` functions, scripts with asserts), or only imports a module.
 * It needs nothing but the standard library, so it works in every sandbox, and its output is short enough for a small context.
 */
export const pythonHarness: FileEntry = {
  path: harnessPath,
  encoding: "utf8",
  content: `import importlib.util
import io
import runpy
import sys
import traceback
import unittest
from contextlib import redirect_stdout


def load(path):
    name = path[:-3].replace("/", ".").rsplit(".", 1)[-1]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def describe(error):
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__ and "unittest" not in frame.filename]
    where = "".join(traceback.format_list(frames[-3:]))
    return where + "".join(traceback.format_exception_only(type(error), error))


class Tally(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.total = 0
        self.broken = []

    def startTest(self, test):
        super().startTest(test)
        self.total += 1

    def addFailure(self, test, error):
        self.broken.append((test.id(), describe(error[1])))

    def addError(self, test, error):
        self.broken.append((test.id(), describe(error[1])))

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.broken.append((str(subtest), describe(error[1])))

    def attempt(self, name, call):
        self.total += 1
        try:
            call()
        except SystemExit as end:
            if end.code not in (None, 0):
                self.broken.append((name, "it exited with " + repr(end.code)))
        except BaseException as error:
            self.broken.append((name, describe(error)))


def run_file(path, tally):
    before = len(tally.broken)
    found = []
    tally.attempt(path, lambda: found.append(load(path)))
    if not found:
        return
    module = found[0]
    suite = unittest.defaultTestLoader.loadTestsFromModule(module)
    functions = [(name, value) for name, value in vars(module).items() if name.startswith("test") and callable(value) and not isinstance(value, type)]
    if suite.countTestCases() == 0 and not functions:
        with open(path, encoding="utf8") as source:
            if "__main__" in source.read():
                tally.attempt(path, lambda: runpy.run_path(path, run_name="__main__"))
        return
    if len(tally.broken) == before:
        tally.total -= 1
    suite.run(tally)
    for name, value in functions:
        tally.attempt(path + ": " + name, value)


def main():
    mode, paths = sys.argv[1], sys.argv[2:]
    if mode == "import":
        sys.argv = paths[:1]
        load(paths[0])
        return 0
    sys.argv = sys.argv[:1]
    tally = Tally()
    with redirect_stdout(io.StringIO()):
        for path in paths:
            run_file(path, tally)
    for name, text in tally.broken[:4]:
        print("FAILED: " + name)
        print(text.strip()[-900:])
        print()
    failed = len({name for name, _ in tally.broken})
    print("Ran %d tests: %d passed, %d failed" % (tally.total, max(0, tally.total - failed), failed))
    return 1 if failed or tally.total == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
`,
};
