import os
import subprocess
import sys
import unittest


def run(*args):
    return subprocess.run([sys.executable, "main.py", *args], capture_output=True, text=True)


class TodoListTest(unittest.TestCase):
    def setUp(self):
        if os.path.exists("todo.json"):
            os.remove("todo.json")

    tearDown = setUp

    def test_example(self):
        self.assertEqual(run("list").stdout.strip(), "Nothing to do")
        self.assertEqual(run("add", "buy milk").stdout.strip(), "Added 1: buy milk")
        self.assertEqual(run("add", "call Ann").stdout.strip(), "Added 2: call Ann")
        self.assertEqual(run("done", "1").stdout.strip(), "Done 1: buy milk")
        self.assertEqual(run("list").stdout.splitlines(), ["1 [x] buy milk", "2 [ ] call Ann"])

    def test_exit_codes(self):
        self.assertEqual(run("list").returncode, 0)
        self.assertEqual(run("done", "99").returncode, 1)
        self.assertEqual(run("done", "abc").returncode, 1)
        self.assertEqual(run().returncode, 2)
        self.assertEqual(run("hello").returncode, 2)


if __name__ == "__main__":
    unittest.main()
