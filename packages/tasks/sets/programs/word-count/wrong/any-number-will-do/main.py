import re
import sys
from collections import Counter

limit = int(sys.argv[1])
counts = Counter(re.findall("[a-z]+", sys.stdin.read().lower()))
for word, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:limit]:
    print(word, count)
