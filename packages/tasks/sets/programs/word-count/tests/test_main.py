import subprocess
import sys
import unittest


def run(*args, text=""):
    return subprocess.run([sys.executable, "main.py", *args], input=text, capture_output=True, text=True)


class WordCountTest(unittest.TestCase):
    def test_example(self):
        done = run("3", text="The cat and the dog. The end, and it's late!\n")
        self.assertEqual(done.stdout.split("\n"), ["the 3", "and 2", "cat 1", ""])

    def test_ties(self):
        self.assertEqual(run("3", text="pear fig apple fig pear").stdout.split("\n"), ["fig 2", "pear 2", "apple 1", ""])

    def test_no_words(self):
        self.assertEqual(run("3", text="1 2 3\n").stdout, "")

    def test_exit_codes(self):
        self.assertEqual(run("2", text="a b").returncode, 0)
        self.assertEqual(run("x", text="a b").returncode, 2)
        self.assertEqual(run("0", text="a b").returncode, 2)
        self.assertEqual(run("1", "2", text="a b").returncode, 2)
        self.assertEqual(run(text="a b").returncode, 2)


if __name__ == "__main__":
    unittest.main()
