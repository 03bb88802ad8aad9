from collections import deque


def shortest_path(rows):
    start = find(rows, "S")
    goal = find(rows, "G")
    steps = {start: 0}
    queue = deque([start])
    while queue:
        here = queue.popleft()
        if here == goal:
            return steps[here]
        for there in neighbours(rows, here):
            if there not in steps:
                steps[there] = steps[here] + 1
                queue.append(there)
    return None


def find(rows, character):
    return next((y, row.index(character)) for y, row in enumerate(rows) if character in row)


def neighbours(rows, field):
    y, x = field
    for y, x in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
        if 0 <= y < len(rows) and 0 <= x < len(rows[y]) and rows[y][x] != "#":
            yield y, x
