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
    for units in FACTORS:
        if source in units and target in units:
            return value * units[source] / units[target]
    raise LookupError(f"can't convert {source} to {target}")


def main(args):
    try:
        text, source, target = args
        value = float(text)
    except ValueError:
        print("usage: python main.py VALUE FROM TO", file=sys.stderr)
        return 2
    try:
        print(f"{convert(value, source, target):.4f}")
    except LookupError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


sys.exit(main(sys.argv[1:]))
