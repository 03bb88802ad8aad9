import unittest

from main import to_roman

VALUES = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100, "D": 500, "M": 1000}


def read(roman):
    digits = [VALUES[letter] for letter in roman]
    return sum(-a if a < b else a for a, b in zip(digits, digits[1:] + [0]))


class ToRomanTest(unittest.TestCase):
    def test_known_numerals(self):
        known = {1: "I", 3: "III", 4: "IV", 9: "IX", 14: "XIV", 40: "XL", 90: "XC", 400: "CD", 900: "CM", 1994: "MCMXCIV"}
        self.assertEqual({number: to_roman(number) for number in known}, known)

    def test_every_number_reads_back(self):
        for number in range(1, 4000):
            roman = to_roman(number)
            self.assertEqual(read(roman), number)
            self.assertFalse(any(letter * 4 in roman for letter in VALUES), roman)

    def test_out_of_range(self):
        for number in (0, -5, 4000):
            with self.assertRaises(ValueError):
                to_roman(number)


if __name__ == "__main__":
    unittest.main()
