import sys

items = []
args = sys.argv[1:]
if args == ["list"]:
    print("Nothing to do")
elif len(args) == 2 and args[0] == "add":
    items.append(args[1])
    print(f"Added {len(items)}: {args[1]}")
elif len(args) == 2 and args[0] == "done":
    print(f"there is no item {args[1]}", file=sys.stderr)
    sys.exit(1)
else:
    print("usage: python main.py add TEXT | list | done NUMBER", file=sys.stderr)
    sys.exit(2)
