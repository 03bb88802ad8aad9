class Contacts:
    def __init__(self):
        self.numbers = {}

    def add(self, name, number):
        self.numbers[name] = number

    def all(self):
        return sorted(self.numbers.items())
