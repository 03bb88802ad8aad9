import sys
from itertools import groupby

groups = [(line, len(list(group))) for line, group in groupby(sys.stdin.read().splitlines()) if line]
print("\n".join(f"{count} {line}" for line, count in groups if count > 1) or "no duplicates")
