import subprocess
import sys
import unittest


def judge(*lines):
    text = "".join(line + "\n" for line in lines)
    return subprocess.run([sys.executable, "main.py"], input=text, capture_output=True, text=True).stdout.strip()


class TicTacToeTest(unittest.TestCase):
    def test_examples(self):
        self.assertEqual(judge("XXX", "OO.", "..."), "X wins")
        self.assertEqual(judge("X..", ".O.", "..."), "open")
        self.assertEqual(judge("XX.", "...", "..."), "invalid")


if __name__ == "__main__":
    unittest.main()
