import re
import sys

from inventory import Inventory

inventory = Inventory()


def execute(line):
    words = line.split()
    if words == ["list"]:
        return [f"{name} {count}" for name, count in inventory.items()] or ["empty"]
    if len(words) != 3 or words[0] not in ("add", "remove") or not re.fullmatch(r"-?[0-9]+", words[2]):
        return ["unknown command"]
    try:
        method = inventory.add if words[0] == "add" else inventory.remove
        method(words[1], int(words[2]))
    except ValueError:
        return ["error"]
    return ["ok"]


for line in sys.stdin:
    if line.strip():
        print("\n".join(execute(line)))
