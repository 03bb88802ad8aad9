def wrap(text, width):
    lines = []
    for word in text.split():
        if lines and len(word) <= width and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.extend(word[start : start + width] for start in range(0, len(word), width))
    return lines
