class Contacts:
    def __init__(self):
        self.numbers = {}

    def add(self, name, number):
        self.numbers[name] = number

    def all(self):
        return sorted(self.numbers.items())

    def search(self, text):
        return [(name, number) for name, number in self.all() if text in name]

    def remove(self, name):
        return self.numbers.pop(name, None) is not None
