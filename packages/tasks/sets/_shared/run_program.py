"""Runs the Python program main.py of the workspace as a user would."""

import contextlib
import io
import os
import runpy
import subprocess
import sys
import traceback
from typing import NamedTuple


class Ended(NamedTuple):
    """How a program ended."""

    code: int
    out: str
    err: str

    @property
    def lines(self):
        """The lines of standard output, without white space at their ends."""
        return [line.rstrip() for line in self.out.rstrip().splitlines()]


def run(*args, stdin=""):
    """Calls `python main.py ARGS...` and waits for its end."""
    if sys.platform == "emscripten":
        return run_inside(args, stdin)
    call = [sys.executable, "main.py", *args]
    done = subprocess.run(call, input=stdin, capture_output=True, encoding="utf-8", timeout=10)
    return Ended(done.returncode, done.stdout, done.stderr)


def run_inside(args, stdin):
    """Where no process can be started: the same in this one, modules of the workspace loaded afresh."""
    out, err = io.StringIO(), io.StringIO()
    before, argv, real_stdin = set(sys.modules), sys.argv, sys.stdin
    sys.argv, sys.stdin = ["main.py", *args], io.StringIO(stdin)
    code = 0
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = run_main()
    finally:
        sys.argv, sys.stdin = argv, real_stdin
        for name in set(sys.modules) - before:
            if os.path.dirname(getattr(sys.modules[name], "__file__", None) or "") == os.getcwd():
                del sys.modules[name]
    return Ended(code, out.getvalue(), err.getvalue())


def run_main():
    try:
        runpy.run_path("main.py", run_name="__main__")
    except SystemExit as end:
        if end.code is None or isinstance(end.code, int):
            return int(end.code or 0)
        print(end.code, file=sys.stderr)
        return 1
    except BaseException:
        traceback.print_exc()
        return 1
    return 0
