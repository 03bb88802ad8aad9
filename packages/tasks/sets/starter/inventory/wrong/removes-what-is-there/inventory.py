class Inventory:
    counts = {}

    def add(self, name, count):
        if count < 1:
            raise ValueError("the count must be at least 1")
        self.counts[name] = self.count(name) + count

    def remove(self, name, count):
        left = self.count(name) - count
        self.counts[name] = max(0, left)
        if left < 0 or count < 1:
            raise ValueError("there are not so many")

    def count(self, name):
        return self.counts.get(name, 0)

    def items(self):
        return sorted((name, count) for name, count in self.counts.items() if count > 0)
