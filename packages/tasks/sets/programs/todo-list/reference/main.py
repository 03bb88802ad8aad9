import json
import os
import sys

FILE = "todo.json"


def load():
    if not os.path.exists(FILE):
        return []
    with open(FILE, encoding="utf-8") as file:
        return json.load(file)


def save(items):
    with open(FILE, "w", encoding="utf-8") as file:
        json.dump(items, file)


def add(items, text):
    items.append({"text": text, "done": False})
    save(items)
    print(f"Added {len(items)}: {text}")
    return 0


def show(items):
    for number, item in enumerate(items, start=1):
        print(f"{number} [{'x' if item['done'] else ' '}] {item['text']}")
    if not items:
        print("Nothing to do")
    return 0


def done(items, number):
    if number not in map(str, range(1, len(items) + 1)):
        print(f"there is no item {number}", file=sys.stderr)
        return 1
    item = items[int(number) - 1]
    item["done"] = True
    save(items)
    print(f"Done {number}: {item['text']}")
    return 0


def main(args):
    commands = {("add", 2): add, ("list", 1): show, ("done", 2): done}
    command = commands.get((args[0], len(args))) if args else None
    if command is None:
        print("usage: python main.py add TEXT | list | done NUMBER", file=sys.stderr)
        return 2
    return command(load(), *args[1:])


sys.exit(main(sys.argv[1:]))
