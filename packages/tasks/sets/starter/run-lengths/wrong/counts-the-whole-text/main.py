from collections import Counter


def run_lengths(text):
    return list(Counter(text).items())
