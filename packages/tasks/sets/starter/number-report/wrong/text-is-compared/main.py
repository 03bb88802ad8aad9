import sys

from numbers_stats import mean, median

lines = [line.strip() for line in sys.stdin if line.strip()]
if not lines:
    print("no data")
    sys.exit(1)
values = [float(line) for line in lines]
print(f"count: {len(values)}")
print(f"mean: {mean(values):.2f}")
print(f"median: {median(values):.2f}")
print(f"max: {float(max(lines)):.2f}")
