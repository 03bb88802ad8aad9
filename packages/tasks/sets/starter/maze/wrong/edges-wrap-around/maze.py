from collections import deque


def shortest_path(rows):
    start = next((y, row.index("S")) for y, row in enumerate(rows) if "S" in row)
    steps = {start: 0}
    queue = deque([start])
    while queue:
        y, x = queue.popleft()
        if rows[y][x] == "G":
            return steps[y, x]
        for there in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
            there = (there[0] % len(rows), there[1] % len(rows[0]))
            if rows[there[0]][there[1]] != "#" and there not in steps:
                steps[there] = steps[y, x] + 1
                queue.append(there)
    return None
