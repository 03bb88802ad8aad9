import unittest

from evaluator import evaluate
from run_program import run
from tokenizer import tokenize


class TokenizeTest(unittest.TestCase):
    def test_tokens(self):
        self.assertEqual(tokenize("-2*(3+4.5)"), ["-", "2", "*", "(", "3", "+", "4.5", ")"])
        self.assertEqual(tokenize(" 12 / 0.5 "), ["12", "/", "0.5"])
        self.assertEqual(tokenize(""), [])

    def test_other_characters(self):
        for text in ("2^3", "a+1", "1,5"):
            with self.assertRaises(ValueError, msg=text):
                tokenize(text)


class EvaluateTest(unittest.TestCase):
    def check(self, cases):
        for text, value in cases.items():
            self.assertAlmostEqual(evaluate(text.split()), value, msg=text)

    def test_ranks(self):
        self.check({"7": 7, "1 + 2 * 3": 7, "2 * 3 + 1": 7, "8 - 6 / 2": 5})

    def test_left_to_right(self):
        self.check({"10 - 4 - 3": 3, "100 / 10 / 5": 2, "8 / 4 * 2": 4, "1 - 2 + 3": 2})

    def test_brackets(self):
        self.check({"( 1 + 2 ) * 3": 9, "2 * ( 3 + ( 4 - 1 ) )": 12, "( ( 5 ) )": 5})

    def test_minus_signs(self):
        self.check({"- 2 * 3": -6, "2 * - 3": -6, "- ( 1 + 2 )": -3, "4 - - 1": 5, "( - 1 )": -1, "- 2 + 5": 3})

    def test_malformed(self):
        for text in ("", "1 +", "* 2", "( 1", "1 )", "1 2", "( )", "1 + * 2", ") 1 ("):
            with self.assertRaises(ValueError, msg=text):
                evaluate(text.split())

    def test_division_by_zero(self):
        with self.assertRaises(ZeroDivisionError):
            evaluate(["1", "/", "0"])


class ProgramTest(unittest.TestCase):
    def test_results(self):
        for text, printed in {"2*(3+4)": "14", "1/3": "0.3333", "1/2": "0.5", "10*10": "100", "-1.50": "-1.5"}.items():
            ended = run(text)
            self.assertEqual((ended.code, ended.lines), (0, [printed]), text)

    def test_errors(self):
        for args in (("1/0",), ("2*",), ("2^3",), ("",), (), ("1", "2")):
            ended = run(*args)
            self.assertEqual((ended.code, ended.out.strip(), ended.err.strip()), (1, "", "error"), args)


if __name__ == "__main__":
    unittest.main()
