import unittest

from main import days_in_month


class DaysInMonthTest(unittest.TestCase):
    def test_every_month_of_a_common_year(self):
        days = [days_in_month(2023, month) for month in range(1, 13)]
        self.assertEqual(days, [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31])

    def test_leap_years(self):
        february = {year: days_in_month(year, 2) for year in (1996, 2000, 2024, 2400)}
        self.assertEqual(february, {1996: 29, 2000: 29, 2024: 29, 2400: 29})

    def test_common_years(self):
        february = {year: days_in_month(year, 2) for year in (1700, 1900, 2001, 2100)}
        self.assertEqual(february, {1700: 28, 1900: 28, 2001: 28, 2100: 28})

    def test_impossible_months(self):
        for month in (0, 13, -1):
            with self.assertRaises(ValueError):
                days_in_month(2024, month)


if __name__ == "__main__":
    unittest.main()
