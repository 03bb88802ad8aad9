import sys

from evaluator import evaluate
from tokenizer import tokenize

try:
    (text,) = sys.argv[1:]
    value = evaluate(tokenize(text))
except (ValueError, ZeroDivisionError):
    print("error", file=sys.stderr)
    sys.exit(1)
print(f"{value:.4f}".rstrip("0").rstrip("."))
