import sys

LENGTH = {"m": 1, "km": 1000, "cm": 0.01, "mi": 1609.344, "ft": 0.3048, "in": 0.0254}
MASS = {"g": 1, "kg": 1000, "lb": 453.59237}

if len(sys.argv) != 4:
    print("usage: python main.py VALUE FROM TO")
    sys.exit(1)
value, source, target = sys.argv[1:]
for units in (LENGTH, MASS):
    if source in units and target in units:
        print(f"{float(value) * units[source] / units[target]:.4f}")
        sys.exit(0)
print("unknown unit")
sys.exit(1)
