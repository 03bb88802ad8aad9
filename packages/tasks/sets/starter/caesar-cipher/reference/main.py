import sys


def move(character, shift):
    for first in ("a", "A"):
        place = ord(character) - ord(first)
        if 0 <= place < 26:
            return chr(ord(first) + (place + shift) % 26)
    return character


def main(args):
    try:
        mode, shift = args
        sign = {"encode": 1, "decode": -1}[mode]
        shift = int(shift)
    except (ValueError, KeyError):
        print("usage: python main.py encode|decode SHIFT", file=sys.stderr)
        return 2
    sys.stdout.write("".join(move(character, sign * shift) for character in sys.stdin.read()))
    return 0


sys.exit(main(sys.argv[1:]))
