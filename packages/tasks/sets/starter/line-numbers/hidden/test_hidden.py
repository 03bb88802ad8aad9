import unittest

from run_program import run


def numbered(*lines):
    ended = run(stdin="".join(line + "\n" for line in lines))
    return ended.code, ended.out.splitlines()


class LineNumbersTest(unittest.TestCase):
    def test_few_lines(self):
        self.assertEqual(numbered("apple", "", "pear"), (0, ["1: apple", "2: ", "3: pear"]))

    def test_inner_white_space_is_kept(self):
        self.assertEqual(numbered("  a  b", "\tc"), (0, ["1:   a  b", "2: \tc"]))

    def test_alignment(self):
        lines = [f"line {i}" for i in range(1, 13)]
        self.assertEqual(numbered(*lines), (0, [f"{i:2}: line {i}" for i in range(1, 13)]))

    def test_nine_and_hundred_lines(self):
        self.assertEqual(numbered(*"abcdefghi")[1][0], "1: a")
        code, lines = numbered(*["x"] * 100)
        self.assertEqual((lines[0], lines[9], lines[99]), ("  1: x", " 10: x", "100: x"))

    def test_last_line_without_line_break(self):
        self.assertEqual(run(stdin="a\nb").out.splitlines(), ["1: a", "2: b"])

    def test_no_input(self):
        ended = run()
        self.assertEqual((ended.code, ended.out.strip()), (0, ""))


if __name__ == "__main__":
    unittest.main()
