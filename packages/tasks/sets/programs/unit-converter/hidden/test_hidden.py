import unittest

from run_program import run

LENGTH = {"m": 1, "km": 1000, "cm": 0.01, "mi": 1609.344, "ft": 0.3048, "in": 0.0254}
MASS = {"g": 1, "kg": 1000, "lb": 453.59237}


class UnitConverterTest(unittest.TestCase):
    def check(self, value, source, target, result):
        ended = run(value, source, target)
        self.assertEqual((ended.code, ended.lines), (0, [result]), f"{value} {source} {target}")

    def check_factor(self, source, target, factor):
        converted = float(run("7.5", source, target).out)
        self.assertAlmostEqual(converted, 7.5 * factor, delta=0.000051, msg=f"{source} {target}")

    def check_error(self, *args):
        ended = run(*args)
        self.assertEqual((ended.code, ended.out.strip()), (1, ""), args)
        self.assertNotEqual(ended.err.strip(), "", args)

    def test_factors(self):
        for units in (LENGTH, MASS):
            names = list(units)
            for source, target in zip(names, names[1:] + names[:1]):
                self.check_factor(source, target, units[source] / units[target])
                self.check_factor(target, source, units[target] / units[source])

    def test_form_of_the_result(self):
        self.check("5", "km", "mi", "3.1069")
        self.check("2", "m", "m", "2.0000")
        self.check("0", "ft", "in", "0.0000")
        self.check("1000000", "km", "m", "1000000000.0000")
        self.check("1e3", "m", "km", "1.0000")

    def test_negative_values(self):
        self.check("-2.5", "kg", "g", "-2500.0000")
        self.check("-3", "ft", "in", "-36.0000")

    def test_unknown_units(self):
        self.check_error("5", "km", "xyz")
        self.check_error("5", "oz", "kg")
        self.check_error("5", "KM", "m")

    def test_kinds_do_not_mix(self):
        self.check_error("5", "km", "kg")
        self.check_error("5", "lb", "m")

    def test_wrong_calls(self):
        self.check_error()
        self.check_error("5", "km")
        self.check_error("5", "km", "m", "cm")
        self.check_error("five", "km", "m")


if __name__ == "__main__":
    unittest.main()
