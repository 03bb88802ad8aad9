import unittest

from numbers_stats import mean, median


class NumbersStatsTest(unittest.TestCase):
    def test_mean(self):
        self.assertEqual(mean([1, 2, 6]), 3)

    def test_median(self):
        self.assertEqual(median([7, 1, 3]), 3)
        self.assertEqual(median([7, 1, 2, 3]), 2.5)


if __name__ == "__main__":
    unittest.main()
