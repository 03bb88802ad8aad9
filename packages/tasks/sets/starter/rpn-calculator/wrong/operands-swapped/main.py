import operator
import sys

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}

try:
    (text,) = sys.argv[1:]
    stack = []
    for token in text.split():
        stack.append(OPERATORS[token](stack.pop(), stack.pop()) if token in OPERATORS else float(token))
    (result,) = stack
except (ValueError, IndexError, ZeroDivisionError) as error:
    sys.exit(f"error: {error}")
print(f"{result:.4f}".rstrip("0").rstrip("."))
