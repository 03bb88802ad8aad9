import unittest

from main import parse_duration


class ParseDurationTest(unittest.TestCase):
    def test_single_units(self):
        cases = {"45s": 45, "90m": 5400, "2h": 7200, "3d": 259200, "0s": 0, "007m": 420}
        self.assertEqual({text: parse_duration(text) for text in cases}, cases)

    def test_several_units(self):
        cases = {"1h30m": 5400, "2d5s": 172805, "1d1h1m1s": 90061}
        self.assertEqual({text: parse_duration(text) for text in cases}, cases)

    def test_malformed(self):
        for text in ("", "10", "h", "1x", "1H", "1 h", " 1h", "1h ", "-1h", "+1h", "1.5h", "1hm", "1h30", "x1h"):
            with self.assertRaises(ValueError, msg=text):
                parse_duration(text)

    def test_order_and_repetition(self):
        for text in ("30m1h", "1s1d", "1h2h", "1m1m"):
            with self.assertRaises(ValueError, msg=text):
                parse_duration(text)


if __name__ == "__main__":
    unittest.main()
