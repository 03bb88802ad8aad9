import unittest

from run_program import run


class WordCountTest(unittest.TestCase):
    def check(self, args, text, printed):
        ended = run(*args, stdin=text)
        self.assertEqual((ended.code, ended.lines), (0, printed), text)

    def test_most_frequent_first(self):
        self.check(["3"], "The cat and the dog. The end, and it's late!\n", ["the 3", "and 2", "cat 1"])
        self.check(["1"], "b a b\nb a\n", ["b 3"])

    def test_ties_are_alphabetical(self):
        self.check(["4"], "pear fig apple fig pear kiwi\n", ["fig 2", "pear 2", "apple 1", "kiwi 1"])
        self.check(["2"], "z y x\n", ["x 1", "y 1"])

    def test_what_separates_words(self):
        self.check(["9"], "it's a-b a_b a1b\ta,b\n", ["a 4", "b 4", "it 1", "s 1"])

    def test_upper_case(self):
        self.check(["5"], "Go GO go gO\n", ["go 4"])

    def test_fewer_words(self):
        self.check(["100"], "one two two", ["two 2", "one 1"])

    def test_no_words(self):
        for text in ("", "\n\n", "12 34 !?\n"):
            self.check(["3"], text, [])

    def test_wrong_arguments(self):
        for args in ([], ["0"], ["-2"], ["x"], ["1.5"], [""], ["3", "4"]):
            ended = run(*args, stdin="a b c\n")
            self.assertEqual((ended.code, ended.out.strip()), (2, ""), args)
            self.assertNotEqual(ended.err.strip(), "", args)


if __name__ == "__main__":
    unittest.main()
