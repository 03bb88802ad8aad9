import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]


def judge(text):
    rows = text.rstrip("\n").split("\n")
    board = "".join(rows)
    if len(rows) != 3 or any(len(row) != 3 for row in rows) or set(board) - set("XO."):
        return "invalid"
    surplus = board.count("X") - board.count("O")
    x_wins, o_wins = (any(all(board[i] == player for i in line) for line in LINES) for player in "XO")
    if surplus not in (0, 1) or (x_wins and surplus != 1) or (o_wins and surplus != 0):
        return "invalid"
    if x_wins or o_wins:
        return "X wins" if x_wins else "O wins"
    return "open" if "." in board else "draw"


print(judge(sys.stdin.read()))
