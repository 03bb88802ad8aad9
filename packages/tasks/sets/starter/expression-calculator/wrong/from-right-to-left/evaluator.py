def evaluate(tokens):
    value, rest = read_sum(list(tokens))
    if rest:
        raise ValueError(f"unexpected {rest[0]}")
    return value


def read_sum(tokens):
    value, tokens = read_product(tokens)
    if tokens and tokens[0] in "+-":
        operator = tokens[0]
        right, tokens = read_sum(tokens[1:])
        value = value + right if operator == "+" else value - right
    return value, tokens


def read_product(tokens):
    value, tokens = read_factor(tokens)
    if tokens and tokens[0] in "*/":
        operator = tokens[0]
        right, tokens = read_product(tokens[1:])
        value = value * right if operator == "*" else value / right
    return value, tokens


def read_factor(tokens):
    if not tokens:
        raise ValueError("the expression ends too early")
    first, rest = tokens[0], tokens[1:]
    if first == "-":
        value, rest = read_factor(rest)
        return -value, rest
    if first == "(":
        value, rest = read_sum(rest)
        if not rest or rest[0] != ")":
            raise ValueError("a bracket is not closed")
        return value, rest[1:]
    return float(first), rest
