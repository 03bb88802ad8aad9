import operator
import sys

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}

try:
    (text,) = sys.argv[1:]
    stack = []
    for token in text.split():
        if token in OPERATORS:
            right, left = stack.pop(), stack.pop()
            stack.append(OPERATORS[token](left, right))
        else:
            stack.append(float(token))
    result = stack[-1]
except (ValueError, IndexError, ZeroDivisionError) as error:
    sys.exit(f"error: {error}")
print(f"{result:.4f}".rstrip("0").rstrip("."))
