import sys
from collections import Counter

counts = Counter(line for line in sys.stdin.read().split("\n") if line)
print("\n".join(f"{count} {line}" for line, count in counts.most_common() if count > 1) or "no duplicates")
