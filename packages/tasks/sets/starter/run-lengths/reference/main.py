from itertools import groupby


def run_lengths(text):
    return [(character, len(list(run))) for character, run in groupby(text)]
