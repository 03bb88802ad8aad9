import sys

FACTORS = {"m": 1, "km": 1000, "cm": 0.01, "mi": 1609.344, "ft": 0.3048, "in": 0.0254, "g": 1, "kg": 1000, "lb": 453.59237}
TO_CELSIUS = {"C": lambda t: t, "F": lambda t: (t - 32) * 5 / 9, "K": lambda t: t - 273.15}
FROM_CELSIUS = {"C": lambda t: t, "F": lambda t: t * 9 / 5 + 32, "K": lambda t: t + 273.15}

try:
    text, source, target = sys.argv[1:]
    value = float(text)
except ValueError:
    print("usage: python main.py VALUE FROM TO", file=sys.stderr)
    sys.exit(2)
try:
    if source in TO_CELSIUS:
        result = FROM_CELSIUS[target](TO_CELSIUS[source](value))
    else:
        result = value * FACTORS[source] / FACTORS[target]
except KeyError as error:
    sys.exit(f"unknown unit {error}")
print(f"{result:.4f}")
