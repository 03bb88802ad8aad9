import unittest

from numbers_stats import mean, median
from run_program import run


class FunctionsTest(unittest.TestCase):
    def test_mean(self):
        self.assertAlmostEqual(mean([4]), 4)
        self.assertAlmostEqual(mean([1, 2, 3, 4]), 2.5)
        self.assertAlmostEqual(mean([-1.5, 1.5]), 0)

    def test_median(self):
        self.assertAlmostEqual(median([5]), 5)
        self.assertAlmostEqual(median([9, 1, 5]), 5)
        self.assertAlmostEqual(median([4, 1, 3, 2]), 2.5)
        self.assertAlmostEqual(median([10, 2]), 6)

    def test_empty_list(self):
        for function in (mean, median):
            with self.assertRaises(ValueError):
                function([])

    def test_input_is_not_changed(self):
        values = [3, 1, 2]
        median(values)
        self.assertEqual(values, [3, 1, 2])


class ProgramTest(unittest.TestCase):
    def check(self, text, *printed):
        ended = run(stdin=text)
        self.assertEqual((ended.code, ended.lines), (0, list(printed)))

    def test_report(self):
        self.check("7\n1\n2\n3\n", "count: 4", "mean: 3.25", "median: 2.50", "max: 7.00")
        self.check("-1.5\n\n-2.5\n-10\n", "count: 3", "mean: -4.67", "median: -2.50", "max: -1.50")
        self.check("10\n9", "count: 2", "mean: 9.50", "median: 9.50", "max: 10.00")

    def test_no_data(self):
        for text in ("", "\n\n"):
            ended = run(stdin=text)
            self.assertEqual((ended.code, ended.lines), (1, ["no data"]))


if __name__ == "__main__":
    unittest.main()
