import textwrap


def wrap(text, width):
    return textwrap.wrap(" ".join(text.split()), width)
