import sys

for number, line in enumerate(sys.stdin.read().splitlines(), start=1):
    print(f"{number}: {line}")
