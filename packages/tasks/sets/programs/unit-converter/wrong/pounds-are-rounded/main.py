import sys

LENGTH = {"m": 1, "km": 1000, "cm": 0.01, "mi": 1609.344, "ft": 0.3048, "in": 0.0254}
MASS = {"g": 1, "kg": 1000, "lb": 453.6}

try:
    value, source, target = sys.argv[1:]
    units = LENGTH if source in LENGTH else MASS
    print(f"{float(value) * units[source] / units[target]:.4f}")
except (ValueError, KeyError) as error:
    sys.exit(str(error))
