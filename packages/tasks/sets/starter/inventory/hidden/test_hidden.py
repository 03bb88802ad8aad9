import unittest

from inventory import Inventory
from run_program import run


class InventoryTest(unittest.TestCase):
    def test_add_and_count(self):
        inventory = Inventory()
        inventory.add("nut", 2)
        inventory.add("nut", 3)
        self.assertEqual((inventory.count("nut"), inventory.count("bolt")), (5, 0))

    def test_remove(self):
        inventory = Inventory()
        inventory.add("nut", 5)
        inventory.remove("nut", 2)
        self.assertEqual(inventory.count("nut"), 3)

    def test_remove_too_many_changes_nothing(self):
        inventory = Inventory()
        inventory.add("nut", 5)
        for name, count in (("nut", 6), ("bolt", 1)):
            with self.assertRaises(ValueError):
                inventory.remove(name, count)
        self.assertEqual(inventory.items(), [("nut", 5)])

    def test_counts_below_one(self):
        inventory = Inventory()
        inventory.add("nut", 5)
        for method in (inventory.add, inventory.remove):
            for count in (0, -1):
                with self.assertRaises(ValueError):
                    method("nut", count)
        self.assertEqual(inventory.count("nut"), 5)

    def test_items(self):
        inventory = Inventory()
        for name, count in (("nut", 1), ("bolt", 2), ("axle", 3)):
            inventory.add(name, count)
        inventory.remove("bolt", 2)
        self.assertEqual([tuple(item) for item in inventory.items()], [("axle", 3), ("nut", 1)])

    def test_inventories_are_separate(self):
        Inventory().add("nut", 1)
        self.assertEqual(Inventory().count("nut"), 0)


class ProgramTest(unittest.TestCase):
    def check(self, commands, printed):
        ended = run(stdin="".join(command + "\n" for command in commands))
        self.assertEqual((ended.code, ended.lines), (0, printed))

    def test_commands(self):
        self.check(["add nut 5", "remove nut 2", "remove nut 4", "list"], ["ok", "ok", "error", "nut 3"])

    def test_list(self):
        self.check(["list", "add b 1", "add a 2", "list"], ["empty", "ok", "ok", "a 2", "b 1"])
        self.check(["add b 1", "remove b 1", "list"], ["ok", "ok", "empty"])

    def test_errors(self):
        self.check(["add nut 0", "remove nut 1", "add nut -2"], ["error", "error", "error"])

    def test_unknown_commands(self):
        lines = ["drop nut 1", "add nut", "add nut x", "remove", "list all", "add a b 1"]
        self.check([*lines, "", "list"], ["unknown command"] * len(lines) + ["empty"])


if __name__ == "__main__":
    unittest.main()
