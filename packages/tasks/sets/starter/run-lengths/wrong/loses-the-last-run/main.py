def run_lengths(text):
    runs = []
    count = 1
    for before, after in zip(text, text[1:]):
        if before == after:
            count += 1
        else:
            runs.append((before, count))
            count = 1
    return runs
