import copy
import unittest

from main import build_order


class BuildOrderTest(unittest.TestCase):
    def test_empty_and_free_tasks(self):
        self.assertEqual(build_order({}), [])
        self.assertEqual(build_order({"c": [], "a": [], "b": []}), ["a", "b", "c"])

    def test_chain(self):
        self.assertEqual(build_order({"b": ["c"], "a": ["b"]}), ["c", "b", "a"])

    def test_names_that_are_no_keys(self):
        self.assertEqual(build_order({"app": ["lib", "tool"]}), ["lib", "tool", "app"])

    def test_smallest_possible_comes_next(self):
        self.assertEqual(build_order({"a": ["z"], "m": []}), ["m", "z", "a"])
        self.assertEqual(build_order({"b": ["d"], "c": [], "a": ["c"], "d": []}), ["c", "a", "d", "b"])

    def test_diamond_and_repeated_need(self):
        self.assertEqual(build_order({"d": ["b", "c", "b"], "b": ["a"], "c": ["a"]}), ["a", "b", "c", "d"])

    def test_circles(self):
        for needs in ({"a": ["a"]}, {"a": ["b"], "b": ["a"]}, {"x": [], "a": ["b"], "b": ["c"], "c": ["a"]}):
            with self.assertRaises(ValueError):
                build_order(needs)

    def test_input_is_not_changed(self):
        needs = {"b": ["a", "c"], "c": ["a"]}
        before = copy.deepcopy(needs)
        self.assertEqual(build_order(needs), ["a", "c", "b"])
        self.assertEqual(needs, before)


if __name__ == "__main__":
    unittest.main()
