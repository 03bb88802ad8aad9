import sys

from numbers_stats import mean, median

values = [float(line) for line in sys.stdin if line.strip()]
if not values:
    print("no data")
    sys.exit(1)
print(f"count: {len(values)}")
print(f"mean: {mean(values):.2f}")
print(f"median: {median(values):.2f}")
print(f"max: {max(values):.2f}")
