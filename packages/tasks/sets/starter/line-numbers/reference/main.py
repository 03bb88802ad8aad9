import sys

lines = sys.stdin.read().splitlines()
width = len(str(len(lines)))
for number, line in enumerate(lines, start=1):
    print(f"{number:{width}}: {line}")
