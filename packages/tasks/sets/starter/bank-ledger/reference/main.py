import re
import sys
from collections import defaultdict

COMMANDS = [
    (re.compile(r"deposit (\S+) ([0-9]+)"), "deposit"),
    (re.compile(r"withdraw (\S+) ([0-9]+)"), "withdraw"),
    (re.compile(r"transfer (\S+) (\S+) ([0-9]+)"), "transfer"),
    (re.compile(r"balance (\S+)"), "balance"),
]

balances = defaultdict(int)


def parse(line):
    for pattern, command in COMMANDS:
        match = pattern.fullmatch(line)
        if match and (command == "balance" or int(match.groups()[-1]) > 0):
            return command, match.groups()
    return "invalid", (line,)


def execute(command, words):
    if command == "invalid":
        print(f"invalid: {words[0]}")
    elif command == "balance":
        print(f"{words[0]}: {balances[words[0]]}")
    elif command == "deposit":
        balances[words[0]] += int(words[1])
    elif balances[words[0]] < int(words[-1]):
        print(f"insufficient funds: {words[0]}")
    else:
        balances[words[0]] -= int(words[-1])
        if command == "transfer":
            balances[words[1]] += int(words[2])


for line in sys.stdin.read().splitlines():
    if line:
        execute(*parse(line))
