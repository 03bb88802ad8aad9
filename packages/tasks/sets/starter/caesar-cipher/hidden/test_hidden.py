import unittest

from run_program import run

ALPHABET = "abcdefghijklmnopqrstuvwxyz"


class CaesarCipherTest(unittest.TestCase):
    def check(self, mode, shift, text, moved):
        ended = run(mode, shift, stdin=text)
        self.assertEqual((ended.code, ended.out.rstrip("\n")), (0, moved))

    def test_encode(self):
        self.check("encode", "3", "Xyz, abc!", "Abc, def!")
        self.check("encode", "1", ALPHABET, "bcdefghijklmnopqrstuvwxyza")

    def test_decode(self):
        self.check("decode", "3", "Abc, def!", "Xyz, abc!")
        self.check("decode", "1", ALPHABET.upper(), "ZABCDEFGHIJKLMNOPQRSTUVWXY")

    def test_any_shift(self):
        self.check("encode", "0", "Same 1", "Same 1")
        self.check("encode", "29", "abc", "def")
        self.check("encode", "-1", "abc ABC", "zab ZAB")
        self.check("decode", "-30", "abc", "efg")

    def test_lines_and_other_characters(self):
        self.check("encode", "13", "Hello\nWorld: 42 [~]", "Uryyb\nJbeyq: 42 [~]")

    def test_wrong_arguments(self):
        for args in ((), ("encode",), ("encode", "3", "4"), ("shift", "3"), ("encode", "x"), ("decode", "1.5")):
            ended = run(*args, stdin="abc")
            self.assertEqual((ended.code, ended.out), (2, ""), args)
            self.assertNotEqual(ended.err.strip(), "", args)


if __name__ == "__main__":
    unittest.main()
