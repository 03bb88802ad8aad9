def mean(values):
    if not values:
        raise ValueError("no values")
    return sum(values) / len(values)


def median(values):
    if not values:
        raise ValueError("no values")
    return sorted(values)[len(values) // 2]
