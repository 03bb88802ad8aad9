import subprocess
import sys
import unittest


def run(*args, text=""):
    return subprocess.run([sys.executable, "main.py", *args], input=text, capture_output=True, text=True)


class CaesarCipherTest(unittest.TestCase):
    def test_encode(self):
        self.assertEqual(run("encode", "3", text="Xyz, abc!").stdout.strip(), "Abc, def!")

    def test_decode(self):
        self.assertEqual(run("decode", "3", text="Abc, def!").stdout.strip(), "Xyz, abc!")

    def test_wrong_mode(self):
        self.assertEqual(run("shift", "3").returncode, 2)


if __name__ == "__main__":
    unittest.main()
