PAIRS = {")": "(", "]": "[", "}": "{"}


def first_unbalanced(text):
    open_brackets = []
    for index, character in enumerate(text):
        if character in "([{":
            open_brackets.append((index, character))
        elif character in PAIRS:
            if not open_brackets or open_brackets.pop()[1] != PAIRS[character]:
                return index
    return open_brackets[0][0] if open_brackets else -1
