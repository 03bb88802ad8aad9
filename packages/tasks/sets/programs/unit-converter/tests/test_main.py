import subprocess
import sys
import unittest


def run(*args):
    return subprocess.run([sys.executable, "main.py", *args], capture_output=True, text=True)


class UnitConverterTest(unittest.TestCase):
    def test_length(self):
        self.assertEqual(run("5", "km", "mi").stdout.strip(), "3.1069")
        self.assertEqual(run("-3", "ft", "in").stdout.strip(), "-36.0000")

    def test_mass(self):
        self.assertEqual(run("10", "lb", "kg").stdout.strip(), "4.5359")

    def test_errors(self):
        self.assertEqual(run("5", "km", "kg").returncode, 1)
        self.assertEqual(run("5", "km", "xyz").returncode, 1)
        self.assertEqual(run("five", "km", "mi").returncode, 1)
        self.assertEqual(run("5", "km").returncode, 1)


if __name__ == "__main__":
    unittest.main()
