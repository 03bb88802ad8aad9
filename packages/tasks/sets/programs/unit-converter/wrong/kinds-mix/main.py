import sys

UNITS = {"m": 1, "km": 1000, "cm": 0.01, "mi": 1609.344, "ft": 0.3048, "in": 0.0254, "g": 1, "kg": 1000, "lb": 453.59237}

try:
    value, source, target = sys.argv[1:]
    print(f"{float(value) * UNITS[source] / UNITS[target]:.4f}")
except (ValueError, KeyError) as error:
    sys.exit(str(error))
