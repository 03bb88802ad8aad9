class Cart:
    def __init__(self):
        self.lines = {}

    def add(self, name, cents, count=1):
        before = self.lines.get(name, (cents, 0))[1]
        self.lines[name] = (cents, before + count)

    def remove(self, name):
        self.lines.pop(name, None)

    def total(self):
        total = 0
        for cents, count in self.lines.values():
            price = cents * count
            if count >= 10:
                price = int(price * 0.9)
            total += price
        return total
