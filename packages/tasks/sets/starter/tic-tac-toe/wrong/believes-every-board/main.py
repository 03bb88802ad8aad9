import sys

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

board = sys.stdin.read().replace("\n", "")
if len(board) != 9 or set(board) - set("XO."):
    print("invalid")
elif any(all(board[i] == "X" for i in line) for line in LINES):
    print("X wins")
elif any(all(board[i] == "O" for i in line) for line in LINES):
    print("O wins")
else:
    print("open" if "." in board else "draw")
