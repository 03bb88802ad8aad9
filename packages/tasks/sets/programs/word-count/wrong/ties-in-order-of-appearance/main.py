import re
import sys
from collections import Counter

try:
    (limit,) = map(int, sys.argv[1:])
    if limit < 1:
        raise ValueError
except ValueError:
    print("usage: python main.py N", file=sys.stderr)
    sys.exit(2)
for word, count in Counter(re.findall("[a-z]+", sys.stdin.read().lower())).most_common(limit):
    print(word, count)
