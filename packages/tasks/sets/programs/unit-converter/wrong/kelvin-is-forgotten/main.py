import sys

FACTORS = [
    {"m": 1, "km": 1000, "cm": 0.01, "mi": 1609.344, "ft": 0.3048, "in": 0.0254},
    {"g": 1, "kg": 1000, "lb": 453.59237},
]


def convert(value, source, target):
    if source == target:
        return value
    if source == "C" and target == "F":
        return value * 9 / 5 + 32
    if source == "F" and target == "C":
        return (value - 32) * 5 / 9
    if source == "K" and target == "C":
        return value - 273.15
    for units in FACTORS:
        if source in units and target in units:
            return value * units[source] / units[target]
    raise LookupError(f"can't convert {source} to {target}")


try:
    text, source, target = sys.argv[1:]
    value = float(text)
except ValueError:
    print("usage: python main.py VALUE FROM TO", file=sys.stderr)
    sys.exit(2)
try:
    print(f"{convert(value, source, target):.4f}")
except LookupError as error:
    sys.exit(str(error))
