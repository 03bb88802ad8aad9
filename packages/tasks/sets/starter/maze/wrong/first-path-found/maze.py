def shortest_path(rows):
    start = find(rows, "S")
    steps = {start: 0}
    stack = [start]
    while stack:
        y, x = stack.pop()
        if rows[y][x] == "G":
            return steps[y, x]
        for there in ((y - 1, x), (y + 1, x), (y, x - 1), (y, x + 1)):
            inside = 0 <= there[0] < len(rows) and 0 <= there[1] < len(rows[0])
            if inside and rows[there[0]][there[1]] != "#" and there not in steps:
                steps[there] = steps[y, x] + 1
                stack.append(there)
    return None


def find(rows, character):
    return next((y, row.index(character)) for y, row in enumerate(rows) if character in row)
