import sys

FACTORS = [
    {"m": 1, "km": 1000, "cm": 0.01, "mi": 1609.344, "ft": 0.3048, "in": 0.0254},
    {"g": 1, "kg": 1000, "lb": 453.59237},
]
TO_CELSIUS = {"C": lambda t: t, "F": lambda t: (t - 32) * 5 / 9, "K": lambda t: t - 273.15}
FROM_CELSIUS = {"C": lambda t: t, "F": lambda t: t * 9 / 5 + 32, "K": lambda t: t + 273.15}


def convert(value, source, target):
    if source in TO_CELSIUS and target in FROM_CELSIUS:
        return FROM_CELSIUS[target](TO_CELSIUS[source](value))
    units = next(units for units in FACTORS if source in units)
    return value * units[source] / units[target]


value, source, target = sys.argv[1:]
print(f"{convert(float(value), source, target):.4f}")
