import unittest

from run_program import run


def write(text):
    with open("data.csv", "w", encoding="utf-8", newline="") as file:
        file.write(text)


class ColumnSumTest(unittest.TestCase):
    def check(self, text, column, total):
        write(text)
        ended = run("data.csv", column)
        self.assertEqual((ended.code, ended.lines), (0, [total]))

    def check_error(self, code, *args):
        ended = run(*args)
        self.assertEqual((ended.code, ended.out.strip()), (code, ""), args)
        self.assertNotEqual(ended.err.strip(), "", args)

    def test_sum(self):
        self.check("item,price\ntea,2.5\ncake,10\n", "price", "12.50")
        self.check("a,b,c\n1,2,3\n4,5,6\n", "b", "7.00")

    def test_negative_numbers_and_rounding(self):
        self.check("x\n-1.256\n0.5\n", "x", "-0.76")

    def test_quoted_fields(self):
        self.check('item,price\n"cake, large",10\n"a ""b""","1.25"\n', "price", "11.25")

    def test_empty_cells(self):
        self.check("item,price\ntea,2.5\nwater,\n", "price", "2.50")
        self.check("item,price\n", "price", "0.00")

    def test_errors_of_the_file(self):
        write("item,price\ntea,2.5\ncake,much\n")
        self.check_error(1, "data.csv", "price")
        self.check_error(1, "data.csv", "weight")
        self.check_error(1, "missing.csv", "price")

    def test_wrong_number_of_arguments(self):
        write("item,price\ntea,2.5\n")
        self.check_error(2)
        self.check_error(2, "data.csv")
        self.check_error(2, "data.csv", "price", "more")


if __name__ == "__main__":
    unittest.main()
