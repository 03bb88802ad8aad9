import json
import os
import sys

items = []
if os.path.exists("todo.json"):
    with open("todo.json", encoding="utf-8") as file:
        items = json.load(file)
args = sys.argv[1:]
if args == ["list"]:
    for number, (text, done) in enumerate(items, start=1):
        print(f"{number} [{'x' if done else ' '}] {text}")
    if not items:
        print("Nothing to do")
elif len(args) == 2 and args[0] == "add":
    items.append([args[1], False])
    print(f"Added {len(items)}: {args[1]}")
elif len(args) == 2 and args[0] == "done":
    try:
        item = items[int(args[1]) - 1]
    except (ValueError, IndexError):
        print(f"there is no item {args[1]}", file=sys.stderr)
        sys.exit(1)
    item[1] = True
    print(f"Done {args[1]}: {item[0]}")
else:
    print("usage: python main.py add TEXT | list | done NUMBER", file=sys.stderr)
    sys.exit(2)
with open("todo.json", "w", encoding="utf-8") as file:
    json.dump(items, file)
