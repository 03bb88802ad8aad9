class Cart:
    lines = {}

    def add(self, name, cents, count=1):
        if name in self.lines:
            self.lines[name] = (cents, count)
        else:
            self.lines[name] = (cents, count)

    def remove(self, name):
        self.lines.pop(name, None)

    def total(self):
        total = 0
        for cents, count in self.lines.values():
            price = cents * count
            if count > 10:
                price = price * 0.9
            total += price
        return total
