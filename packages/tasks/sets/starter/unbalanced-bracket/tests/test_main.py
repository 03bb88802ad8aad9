import unittest

from main import first_unbalanced


class FirstUnbalancedTest(unittest.TestCase):
    def test_examples(self):
        self.assertEqual(first_unbalanced("f(a[1], {})"), -1)
        self.assertEqual(first_unbalanced("(]"), 1)
        self.assertEqual(first_unbalanced("a(b(c)"), 1)
        self.assertEqual(first_unbalanced("x)"), 1)


if __name__ == "__main__":
    unittest.main()
