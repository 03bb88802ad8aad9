"""Runs a hidden test and proves that it came to its end.

Call: python troupe_prove.py TEST ARGUMENT..., or python troupe_prove.py -m MODULE ARGUMENT..., with the name of the proof file
as the one line of standard input. The file is written when the test has reached its end; whatever ends the process earlier,
such as sys.exit or os._exit in a product, leaves none.
"""

import sys

# Nothing of the workspace may stand in for these modules.
sys.path.pop(0)

import os
import runpy
import subprocess
import traceback
import unittest

WORKSPACE = os.getcwd()


def main():
    proof = os.path.join(WORKSPACE, sys.stdin.readline().strip())
    del sys.argv[0]
    test = os.path.abspath(sys.argv[0])
    try:
        run_test(test)
    except SystemExit as end:
        if end.code not in (None, 0):
            raise
        if product_ended_it(end, test):
            sys.exit("the product ended the tests before their end")
    with open(proof, "x"):
        pass


def run_test(test):
    if sys.argv[0] == "-m":
        sys.path.insert(0, WORKSPACE)
        del sys.argv[0]
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
    else:
        sys.path.insert(0, os.path.dirname(test))
        runpy.run_path(test, run_name="__main__")


def product_ended_it(end, test):
    """Whether the way from the test to the exit led through a file of the product."""
    files = {os.path.abspath(frame.filename) for frame in traceback.extract_tb(end.__traceback__)}
    files -= {test, os.path.abspath(__file__)}
    return any(file.startswith(WORKSPACE + os.sep) and os.path.exists(file) for file in files)


main()
