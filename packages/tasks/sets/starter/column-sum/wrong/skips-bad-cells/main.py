import csv
import sys

if len(sys.argv) != 3:
    print("usage: python main.py FILE COLUMN", file=sys.stderr)
    sys.exit(2)
total = 0.0
try:
    with open(sys.argv[1], newline="") as file:
        for row in csv.DictReader(file):
            try:
                total += float(row[sys.argv[2]])
            except ValueError:
                pass
except (OSError, KeyError) as error:
    sys.exit(str(error))
print(f"{total:.2f}")
