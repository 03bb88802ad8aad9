class Cart:
    def __init__(self):
        self.lines = {}

    def add(self, name, cents, count=1):
        price, before = self.lines.get(name, (cents, 0))
        if price != cents:
            raise ValueError(f"{name} costs {price}, not {cents}")
        self.lines[name] = (cents, before + count)

    def remove(self, name):
        del self.lines[name]

    def total(self):
        return sum(self.price(cents * count, count) for cents, count in self.lines.values())

    def price(self, cents, count):
        return cents - cents // 10 if count >= 10 else cents
