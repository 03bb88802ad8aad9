import unittest

from run_program import run


class DuplicateLinesTest(unittest.TestCase):
    def check(self, lines, printed):
        ended = run(stdin="".join(line + "\n" for line in lines))
        self.assertEqual((ended.code, ended.lines), (0, printed))

    def test_order_of_first_appearance(self):
        self.check(["pear", "apple", "fig", "apple", "pear", "apple"], ["2 pear", "3 apple"])

    def test_far_apart(self):
        self.check(["x", *"abcdefgh", "x"], ["2 x"])

    def test_exact_comparison(self):
        self.check(["a", "A", " a", "a b", "a  b", "A"], ["2 A"])

    def test_empty_lines(self):
        self.check(["", "a", "", "", "a"], ["2 a"])

    def test_no_duplicates(self):
        self.check(["a", "b"], ["no duplicates"])
        self.check([], ["no duplicates"])
        self.check(["", ""], ["no duplicates"])

    def test_last_line_without_line_break(self):
        self.assertEqual(run(stdin="a\nb\na").lines, ["2 a"])


if __name__ == "__main__":
    unittest.main()
