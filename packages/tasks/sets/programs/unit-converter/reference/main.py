import sys

LENGTH = {"m": 1, "km": 1000, "cm": 0.01, "mi": 1609.344, "ft": 0.3048, "in": 0.0254}
MASS = {"g": 1, "kg": 1000, "lb": 453.59237}


def convert(value, source, target):
    for units in (LENGTH, MASS):
        if source in units and target in units:
            return value * units[source] / units[target]
    raise ValueError(f"can't convert {source} to {target}")


def main(args):
    try:
        value, source, target = args
        print(f"{convert(float(value), source, target):.4f}")
    except ValueError as error:
        sys.exit(f"usage: python main.py VALUE FROM TO ({error})")


main(sys.argv[1:])
