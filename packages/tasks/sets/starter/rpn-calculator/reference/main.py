import operator
import sys

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def calculate(text):
    stack = []
    for token in text.split():
        if token in OPERATORS:
            right, left = stack.pop(), stack.pop()
            stack.append(OPERATORS[token](left, right))
        else:
            stack.append(float(token))
    (result,) = stack
    return result


def main(args):
    try:
        (text,) = args
        result = calculate(text)
    except (ValueError, IndexError, ZeroDivisionError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(f"{result:.4f}".rstrip("0").rstrip("."))
    return 0


sys.exit(main(sys.argv[1:]))
