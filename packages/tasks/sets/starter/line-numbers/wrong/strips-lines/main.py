import sys

lines = [line.strip() for line in sys.stdin]
width = len(str(len(lines)))
for number, line in enumerate(lines, start=1):
    print(f"{number:{width}}: {line}")
