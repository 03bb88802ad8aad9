import sys

from maze import shortest_path

steps = shortest_path(sys.stdin.read().split())
print("no path" if steps is None else f"shortest path: {steps}")
