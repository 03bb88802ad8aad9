import os
import unittest

from run_program import run


class TodoListTest(unittest.TestCase):
    def setUp(self):
        if os.path.exists("todo.json"):
            os.remove("todo.json")

    def check(self, args, *printed):
        ended = run(*args)
        self.assertEqual((ended.code, ended.lines), (0, list(printed)), args)

    def check_error(self, code, *args):
        ended = run(*args)
        self.assertEqual((ended.code, ended.out.strip()), (code, ""), args)
        self.assertNotEqual(ended.err.strip(), "", args)

    def test_empty_list(self):
        self.check(["list"], "Nothing to do")

    def test_add_and_list(self):
        self.check(["add", "buy milk"], "Added 1: buy milk")
        self.check(["add", "call Ann"], "Added 2: call Ann")
        self.check(["add", "x"], "Added 3: x")
        self.check(["list"], "1 [ ] buy milk", "2 [ ] call Ann", "3 [ ] x")

    def test_the_same_text_twice(self):
        self.check(["add", "run"], "Added 1: run")
        self.check(["add", "run"], "Added 2: run")
        self.check(["done", "2"], "Done 2: run")
        self.check(["list"], "1 [ ] run", "2 [x] run")

    def test_done(self):
        self.check(["add", "buy milk"], "Added 1: buy milk")
        self.check(["add", "call Ann"], "Added 2: call Ann")
        self.check(["done", "1"], "Done 1: buy milk")
        self.check(["list"], "1 [x] buy milk", "2 [ ] call Ann")
        self.check(["done", "1"], "Done 1: buy milk")
        self.check(["add", "sleep"], "Added 3: sleep")
        self.check(["done", "3"], "Done 3: sleep")
        self.check(["list"], "1 [x] buy milk", "2 [ ] call Ann", "3 [x] sleep")

    def test_texts_with_other_characters(self):
        self.check(["add", 'say "hi" & [x] go'], 'Added 1: say "hi" & [x] go')
        self.check(["list"], '1 [ ] say "hi" & [x] go')

    def test_numbers_of_no_item(self):
        self.check_error(1, "done", "1")
        self.check(["add", "buy milk"], "Added 1: buy milk")
        for number in ("0", "2", "99", "-1", "abc", "1.5"):
            self.check_error(1, "done", number)
        self.check(["list"], "1 [ ] buy milk")

    def test_unknown_commands(self):
        self.check(["add", "buy milk"], "Added 1: buy milk")
        for args in ([], ["clear"], ["List"], ["remove", "1"]):
            self.check_error(2, *args)
        self.check(["list"], "1 [ ] buy milk")


if __name__ == "__main__":
    unittest.main()
