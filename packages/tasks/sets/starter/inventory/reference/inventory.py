class Inventory:
    def __init__(self):
        self.counts = {}

    def add(self, name, count):
        if count < 1:
            raise ValueError("the count must be at least 1")
        self.counts[name] = self.count(name) + count

    def remove(self, name, count):
        if not 1 <= count <= self.count(name):
            raise ValueError("there are not so many")
        self.counts[name] -= count

    def count(self, name):
        return self.counts.get(name, 0)

    def items(self):
        return sorted((name, count) for name, count in self.counts.items() if count > 0)
