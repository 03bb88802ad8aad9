import unittest

from contacts import Contacts
from run_program import run


def book():
    contacts = Contacts()
    for name, number in (("Joanna", "34"), ("Ann", "12"), ("bob", "56")):
        contacts.add(name, number)
    return contacts


class ContactsTest(unittest.TestCase):
    def found(self, text):
        return [tuple(entry) for entry in book().search(text)]

    def test_search(self):
        self.assertEqual(self.found("ann"), [("Ann", "12"), ("Joanna", "34")])
        self.assertEqual(self.found("OB"), [("bob", "56")])
        self.assertEqual(self.found("12"), [])

    def test_remove(self):
        contacts = book()
        self.assertIs(contacts.remove("Ann"), True)
        self.assertIs(contacts.remove("Ann"), False)
        self.assertIs(contacts.remove("Bob"), False)
        self.assertEqual(contacts.all(), [("Joanna", "34"), ("bob", "56")])


class ProgramTest(unittest.TestCase):
    def check(self, commands, printed):
        ended = run(stdin="".join(command + "\n" for command in commands))
        self.assertEqual((ended.code, ended.lines), (0, printed))

    def test_what_was_there(self):
        self.check(["add b 2", "add a 1", "", "list", "call a"], ["a 1", "b 2", "unknown command"])
        self.check(["add b", "list all", "list"], ["unknown command", "unknown command"])

    def test_search(self):
        commands = ["add Ann 12", "add Joanna 34", "search ANN", "search x"]
        self.check(commands, ["Ann 12", "Joanna 34", "nothing found"])

    def test_remove(self):
        commands = ["add Ann 12", "remove ann", "remove Ann", "remove Ann", "list"]
        self.check(commands, ["no contact ann", "removed Ann", "no contact Ann"])

    def test_wrong_number_of_words(self):
        self.check(["search", "search a b", "remove", "remove a b"], ["unknown command"] * 4)


if __name__ == "__main__":
    unittest.main()
