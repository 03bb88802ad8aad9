import sys
from collections import Counter

counts = Counter(line for line in sys.stdin.read().split("\n") if line)
duplicates = [f"{count} {line}" for line, count in counts.items() if count > 1]
print("\n".join(duplicates) or "no duplicates")
