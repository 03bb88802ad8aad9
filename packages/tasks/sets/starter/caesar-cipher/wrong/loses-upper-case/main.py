import sys

if len(sys.argv) != 3 or sys.argv[1] not in ("encode", "decode") or not sys.argv[2].lstrip("-").isdigit():
    print("usage: python main.py encode|decode SHIFT", file=sys.stderr)
    sys.exit(2)
shift = int(sys.argv[2]) * (1 if sys.argv[1] == "encode" else -1)
text = sys.stdin.read().lower()
print("".join(chr((ord(c) - 97 + shift) % 26 + 97) if "a" <= c <= "z" else c for c in text), end="")
