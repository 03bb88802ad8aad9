import unittest

from run_program import run


class RpnCalculatorTest(unittest.TestCase):
    def check(self, cases):
        for calculation, result in cases.items():
            ended = run(calculation)
            self.assertEqual((ended.code, ended.lines), (0, [result]), calculation)

    def test_operators(self):
        self.check({"3 4 +": "7", "10 4 -": "6", "3 4 *": "12", "1 4 /": "0.25"})

    def test_several_operators(self):
        self.check({"3 4 + 2 *": "14", "5 1 2 + 4 * + 3 -": "14", "100 10 / 5 /": "2"})

    def test_numbers(self):
        self.check({"7": "7", "-2 0.5 -": "-2.5", "2.50": "2.5", "100 1 *": "100"})

    def test_rounding(self):
        self.check({"1 3 /": "0.3333", "2 3 /": "0.6667", "0.1 0.2 +": "0.3", "9 3 /": "3"})

    def test_errors(self):
        for args in ((), ("1 2 +", "3"), ("",), ("1 +",), ("+",), ("1 2",), ("1 x +",), ("1 2 ^",), ("4 0 /",)):
            ended = run(*args)
            self.assertEqual((ended.code, ended.out.strip()), (1, ""), args)
            self.assertNotEqual(ended.err.strip(), "", args)


if __name__ == "__main__":
    unittest.main()
