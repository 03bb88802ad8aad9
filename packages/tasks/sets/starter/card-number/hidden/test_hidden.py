import unittest

from main import is_valid_card


class IsValidCardTest(unittest.TestCase):
    def check(self, cases):
        self.assertEqual({number: is_valid_card(number) for number in cases}, cases)

    def test_valid(self):
        self.check({"4539 3195 0343 6467": True, "79927398713": True, "18": True, " 1 8 ": True, "00": True})

    def test_odd_and_even_lengths(self):
        self.check({"059": True, "2121": True, "2122": False, "034": True, "12345674": True})

    def test_wrong_check_digit(self):
        self.check({"8273 1232 7352 0569": False, "79927398710": False, "19": False})

    def test_not_a_number(self):
        self.check({"": False, "0": False, " 0 ": False, "18a": False, "1-8": False, "059x": False, "a8": False})


if __name__ == "__main__":
    unittest.main()
