def first_unbalanced(text):
    for opening, closing in ("()", "[]", "{}"):
        depth = 0
        for index, character in enumerate(text):
            depth += (character == opening) - (character == closing)
            if depth < 0:
                return index
        if depth > 0:
            return text.index(opening)
    return -1
