import sys

from cart import Cart

cart = Cart()
for line in sys.stdin:
    if line.strip():
        name, cents, count = line.split()
        cart.add(name, int(cents), int(count))
total = cart.total()
print(f"total: {total // 100}.{total % 100:02}")
