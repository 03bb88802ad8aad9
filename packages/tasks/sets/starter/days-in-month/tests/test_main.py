import unittest

from main import days_in_month


class DaysInMonthTest(unittest.TestCase):
    def test_examples(self):
        self.assertEqual(days_in_month(2023, 4), 30)
        self.assertEqual(days_in_month(2024, 2), 29)
        self.assertEqual(days_in_month(1900, 2), 28)


if __name__ == "__main__":
    unittest.main()
