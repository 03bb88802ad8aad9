import sys

if len(sys.argv) != 3:
    sys.exit(2)
try:
    with open(sys.argv[1]) as file:
        rows = [line.rstrip("\n").split(",") for line in file]
    index = rows[0].index(sys.argv[2])
    print(f"{sum(float(row[index] or 0) for row in rows[1:]):.2f}")
except (OSError, ValueError, IndexError) as error:
    sys.exit(str(error))
