import re

TOKEN = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|[-+*/()])")


def tokenize(text):
    tokens = []
    text = text.rstrip()
    position = 0
    while position < len(text):
        match = TOKEN.match(text, position)
        if not match:
            raise ValueError(f"unexpected character at {position}")
        tokens.append(match.group(1))
        position = match.end()
    return tokens
