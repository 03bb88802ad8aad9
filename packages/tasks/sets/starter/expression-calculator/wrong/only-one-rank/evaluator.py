import operator

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def evaluate(tokens):
    value, rest = read_chain(list(tokens))
    if rest:
        raise ValueError(f"unexpected {rest[0]}")
    return value


def read_chain(tokens):
    value, tokens = read_factor(tokens)
    while tokens and tokens[0] in OPERATORS:
        right, rest = read_factor(tokens[1:])
        value = OPERATORS[tokens[0]](value, right)
        tokens = rest
    return value, tokens


def read_factor(tokens):
    if not tokens:
        raise ValueError("the expression ends too early")
    first, rest = tokens[0], tokens[1:]
    if first == "-":
        value, rest = read_factor(rest)
        return -value, rest
    if first == "(":
        value, rest = read_chain(rest)
        if not rest or rest[0] != ")":
            raise ValueError("a bracket is not closed")
        return value, rest[1:]
    return float(first), rest
