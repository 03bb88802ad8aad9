import sys
from collections import Counter

try:
    (limit,) = map(int, sys.argv[1:])
    if limit < 1:
        raise ValueError
except ValueError:
    print("usage: python main.py N", file=sys.stderr)
    sys.exit(2)
words = [word.strip(".,!?;:'\"") for word in sys.stdin.read().lower().split()]
counts = Counter(word for word in words if word.isalpha())
for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]:
    print(word, count)
