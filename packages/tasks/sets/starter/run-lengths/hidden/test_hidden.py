import unittest

from main import run_lengths


class RunLengthsTest(unittest.TestCase):
    def check(self, cases):
        self.assertEqual({text: list(map(tuple, run_lengths(text))) for text in cases}, cases)

    def test_short_texts(self):
        self.check({"": [], "x": [("x", 1)], "xx": [("x", 2)], "xy": [("x", 1), ("y", 1)]})

    def test_a_character_comes_back(self):
        self.check({"aaabaa": [("a", 3), ("b", 1), ("a", 2)]})

    def test_case_digits_and_spaces(self):
        self.check({"aA11  ": [("a", 1), ("A", 1), ("1", 2), (" ", 2)]})

    def test_long_run(self):
        self.check({"z" * 1000 + "y": [("z", 1000), ("y", 1)]})


if __name__ == "__main__":
    unittest.main()
