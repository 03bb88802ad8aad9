import unittest

from main import first_unbalanced


class FirstUnbalancedTest(unittest.TestCase):
    def check(self, cases):
        self.assertEqual({text: first_unbalanced(text) for text in cases}, cases)

    def test_balanced(self):
        self.check({"": -1, "no brackets": -1, "()[]{}": -1, "{[()()]}": -1, "f(a[1], {})": -1})

    def test_closing_without_opening(self):
        self.check({")": 0, "x)": 1, "()]": 2, "{}}(": 2})

    def test_closing_of_another_kind(self):
        self.check({"(]": 1, "([)]": 2, "{(})": 2, "((}": 2})

    def test_left_open(self):
        self.check({"(": 0, "a(b(c)": 1, "()[": 2, "[(": 0, "{}({[]}": 2})


if __name__ == "__main__":
    unittest.main()
