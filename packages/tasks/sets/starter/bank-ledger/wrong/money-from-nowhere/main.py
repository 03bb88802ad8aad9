import sys

balances = {}
for line in sys.stdin.read().splitlines():
    words = line.split()
    if not words:
        continue
    try:
        command, name = words[0], words[1]
        amount = int(words[-1]) if command != "balance" else 1
        size = {"deposit": 3, "withdraw": 3, "transfer": 4, "balance": 2}[command]
        if len(words) != size or amount < 1:
            raise ValueError
    except (ValueError, KeyError, IndexError):
        print(f"invalid: {line}")
        continue
    if command == "balance":
        print(f"{name}: {balances.get(name, 0)}")
        continue
    if command == "transfer":
        balances[words[2]] = balances.get(words[2], 0) + amount
    if command != "deposit" and balances.get(name, 0) < amount:
        print(f"insufficient funds: {name}")
        continue
    balances[name] = balances.get(name, 0) + (amount if command == "deposit" else -amount)
