import re
import sys
from collections import Counter


def main(args):
    try:
        (limit,) = map(int, args)
        if limit < 1:
            raise ValueError
    except ValueError:
        print("usage: python main.py N, a whole number of at least 1", file=sys.stderr)
        return 2
    counts = Counter(re.findall("[a-z]+", sys.stdin.read().lower()))
    for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]:
        print(word, count)
    return 0


sys.exit(main(sys.argv[1:]))
