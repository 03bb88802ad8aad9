import csv
import sys


def column_sum(path, column):
    with open(path, encoding="utf-8", newline="") as file:
        rows = csv.DictReader(file)
        if column not in (rows.fieldnames or []):
            raise ValueError(f"there is no column {column}")
        return sum(float(row[column]) for row in rows if row[column])


def main(args):
    if len(args) != 2:
        print("usage: python main.py FILE COLUMN", file=sys.stderr)
        return 2
    try:
        print(f"{column_sum(*args):.2f}")
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


sys.exit(main(sys.argv[1:]))
