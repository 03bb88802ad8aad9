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
  content: `import ast
import importlib.util
import io
import os
import runpy
import shlex
import subprocess
import sys
import traceback
import unittest
from contextlib import redirect_stdout

mark = "lines that ran last:"
calls = []
watched = []
run_program = subprocess.run


def run_and_note(*args, **options):
    # A call that raises, such as one that takes too long, must not leave the one before it as the last.
    calls.clear()
    done = run_program(*args, **options)
    calls.append((args[0] if args else options.get("args"), options.get("input"), done))
    return done


subprocess.run = run_and_note


def load(path):
    name = path[:-3].replace("/", ".").rsplit(".", 1)[-1]
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def show(data, most=300):
    text = data.decode(errors="replace") if isinstance(data, bytes) else str(data or "")
    text = text.strip()
    return repr(text if len(text) <= most else "..." + text[-most:]) if text else "nothing"


def last_call():
    if not calls:
        return ""
    command, given, done = calls[-1]
    words = [command] if isinstance(command, str) else ["python" if word == sys.executable else str(word) for word in command]
    line = words[0] if isinstance(command, str) else shlex.join(words)
    fed = ["Its input: " + show(given)] if given else []
    facts = [*fed, "Exit code: %s" % done.returncode, "Standard output: " + show(done.stdout), "Standard error: " + show(done.stderr)]
    return "\\n".join(["Called: " + line, *facts, *last_lines(command, given, done), ""])


def last_lines(command, given, done):
    """The lines that a Python program executed last: the call is made once more, watched, and counts only when it ends alike."""
    if not isinstance(command, list) or command[:1] != [sys.executable] or len(command) < 2 or not os.path.isfile(command[1]):
        return []
    # More failures are not shown, and a slow program must not be run again for each of them.
    if len(watched) == 2:
        return []
    watched.append(command)
    try:
        again = run_program([sys.executable, __file__, "watch", *command[1:]], input=given, capture_output=True, text=not isinstance(given, bytes), timeout=2)
    except (OSError, ValueError, subprocess.SubprocessError):
        return []
    ran, _, told = str(again.stderr).rpartition(mark)
    alike = again.returncode == done.returncode and show(again.stdout) == show(done.stdout)
    if not alike or not told:
        return []
    with open(command[1], encoding="utf8") as source:
        lines = source.read().splitlines()
    numbers = [int(number) for number in told.split("\\n")[0].split() if number.isdecimal() and 0 < int(number) <= len(lines)]
    return ["The lines of %s that ran last:" % command[1], *("%4d  %s" % (number, lines[number - 1].strip()) for number in numbers)]


def watch(path, arguments):
    """Runs a program and tells at the end which of its lines ran last."""
    name, ran = os.path.abspath(path), []

    def note(frame, event, argument):
        if os.path.abspath(frame.f_code.co_filename) != name:
            return None
        if event == "line":
            if frame.f_lineno in ran:
                ran.remove(frame.f_lineno)
            ran.append(frame.f_lineno)
        return note

    sys.argv, sys.path[0] = [path, *arguments], os.path.dirname(name)
    sys.settrace(note)
    try:
        runpy.run_path(path, run_name="__main__")
    finally:
        sys.settrace(None)
        print(mark, *ran[-5:], file=sys.stderr)


def arguments_at(frame):
    """The two arguments of the assertEqual at a place, as source text, and which of them is what is expected."""
    with open(frame.filename, encoding="utf8") as source:
        text = source.read()
    for node in ast.walk(ast.parse(text)):
        named = isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "assertEqual" and len(node.args) > 1
        if named and node.lineno <= frame.lineno <= node.end_lineno:
            shown = [ast.get_source_segment(text, argument) for argument in node.args[:2]]
            return shown, 0 if is_literal(node.args[0]) and not is_literal(node.args[1]) else 1
    return None


def is_literal(node):
    try:
        ast.literal_eval(node)
        return True
    except ValueError:
        return False


def compare(frame, test):
    """Says in words what assertEqual found; a small model reads "0 != 1" either way round."""
    found = arguments_at(frame)
    values = getattr(test, "compared", None)
    if found is None or values is None:
        return None
    shown, expected = found
    actual, wanted = values[1 - expected], values[expected]
    text = "Wrong: %s is %s, but must be %s" % (shown[1 - expected], actual, wanted)
    return text + advice(shown[1 - expected], actual, wanted)


def advice(asked, actual, wanted):
    """What follows from a wrong exit code or a message instead of output; small models don't see it by themselves."""
    if not calls:
        return ""
    done = calls[-1][2]
    message = str(done.stderr or done.stdout or "").strip()
    if "Traceback" in message:
        error = message.splitlines()[-1].split(":")[0]
        does = "catch the %s and call sys.exit(%s)" % (error, wanted) if asked.endswith(".returncode") else "not end with a " + error
        return "\\nSo in this case it must " + does
    after = " right after it prints " + show(message) if message else ""
    if asked.endswith(".returncode"):
        if wanted != "0":
            return "\\nSo in this case it must call sys.exit(%s)%s" % (wanted, after)
        return "\\nSo in this case it must not come to that exit: look at the condition before it"
    if done.returncode != 0 and ".stdout" in asked and message:
        return "\\nSo in this case it must not print %s: look at the condition before that message" % show(message)
    return ""


def describe(error, test=None):
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename != __file__ and "unittest" not in frame.filename]
    if isinstance(error, AssertionError) and frames:
        words = compare(frames[-1], test)
        if words is not None:
            return last_call() + words
    where = "".join(traceback.format_list(frames[-3:]))
    what = "".join(traceback.format_exception_only(type(error), error))
    return last_call() + where + what


class Compares:
    """Remembers what assertEqual compared last."""

    plain = unittest.TestCase.assertEqual

    def assertEqual(self, first, second, msg=None):
        self.compared = (repr(first)[:400], repr(second)[:400])
        Compares.plain(self, first, second, msg)
        self.compared = None


unittest.TestCase.assertEqual = Compares.assertEqual


class Tally(unittest.TestResult):
    def __init__(self):
        super().__init__()
        self.total = 0
        self.broken = []

    def startTest(self, test):
        super().startTest(test)
        self.total += 1
        calls.clear()

    def addFailure(self, test, error):
        self.broken.append((test.id(), describe(error[1], test)))

    def addError(self, test, error):
        self.broken.append((test.id(), describe(error[1])))

    def addSubTest(self, test, subtest, error):
        if error is not None:
            self.broken.append((str(subtest), describe(error[1], test)))

    def attempt(self, name, call):
        self.total += 1
        calls.clear()
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
    if mode == "watch":
        watch(paths[0], paths[1:])
        return 0
    if mode == "import":
        sys.argv = paths[:1]
        load(paths[0])
        return 0
    sys.argv = sys.argv[:1]
    tally = Tally()
    with redirect_stdout(io.StringIO()):
        for path in paths:
            run_file(path, tally)
    for name, text in tally.broken[:2]:
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
