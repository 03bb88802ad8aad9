import unittest

from main import wrap


class WrapTest(unittest.TestCase):
    def test_words(self):
        self.assertEqual(wrap("the quick brown fox", 10), ["the quick", "brown fox"])
        self.assertEqual(wrap("the quick brown fox", 9), ["the quick", "brown fox"])
        self.assertEqual(wrap("the quick brown fox", 8), ["the", "quick", "brown", "fox"])
        self.assertEqual(wrap("one", 10), ["one"])

    def test_white_space(self):
        self.assertEqual(wrap("", 5), [])
        self.assertEqual(wrap(" \t\n ", 5), [])
        self.assertEqual(wrap("  a\t\tb\n\nc  ", 9), ["a b c"])

    def test_long_words(self):
        self.assertEqual(wrap("a abcdefg b", 3), ["a", "abc", "def", "g b"])
        self.assertEqual(wrap("abcdef", 3), ["abc", "def"])
        self.assertEqual(wrap("abcdef g", 3), ["abc", "def", "g"])
        self.assertEqual(wrap("ab c", 1), ["a", "b", "c"])

    def test_hyphens(self):
        self.assertEqual(wrap("a well-known word", 8), ["a", "well-kno", "wn word"])
        self.assertEqual(wrap("so self-made", 10), ["so", "self-made"])


if __name__ == "__main__":
    unittest.main()
