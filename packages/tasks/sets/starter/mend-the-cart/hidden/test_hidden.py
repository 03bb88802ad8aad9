import unittest

from cart import Cart
from run_program import run


class CartTest(unittest.TestCase):
    def total(self, *lines):
        cart = Cart()
        for line in lines:
            cart.add(*line)
        return cart.total()

    def test_sum(self):
        self.assertEqual(self.total(), 0)
        self.assertEqual(self.total(("tea", 250), ("cake", 300, 3)), 1150)

    def test_adding_again(self):
        self.assertEqual(self.total(("tea", 250, 2), ("tea", 250), ("cake", 1)), 751)
        self.assertEqual(self.total(("nut", 10, 6), ("nut", 10, 4)), 90)

    def test_another_price(self):
        cart = Cart()
        cart.add("tea", 250)
        with self.assertRaises(ValueError):
            cart.add("tea", 300, 2)
        self.assertEqual(cart.total(), 250)

    def test_remove(self):
        cart = Cart()
        cart.add("tea", 250, 2)
        cart.add("cake", 300)
        cart.remove("tea")
        self.assertEqual(cart.total(), 300)
        for name in ("tea", "nut"):
            with self.assertRaises(KeyError):
                cart.remove(name)

    def test_a_new_price_after_removal(self):
        cart = Cart()
        cart.add("tea", 250)
        cart.remove("tea")
        cart.add("tea", 300)
        self.assertEqual(cart.total(), 300)

    def test_discount(self):
        self.assertEqual(self.total(("nut", 5, 9)), 45)
        self.assertEqual(self.total(("nut", 5, 10)), 45)
        self.assertEqual(self.total(("nut", 5, 11), ("tea", 100)), 150)

    def test_discount_is_rounded_down(self):
        total = self.total(("nut", 3, 11), ("pin", 1, 19))
        self.assertEqual(total, 33 - 3 + 19 - 1)
        self.assertIsInstance(total, int)

    def test_carts_are_separate(self):
        Cart().add("tea", 250)
        self.assertEqual(Cart().total(), 0)


class ProgramTest(unittest.TestCase):
    def test_total(self):
        ended = run(stdin="tea 250 2\ncake 305 1\n\nnut 3 11\n")
        self.assertEqual((ended.code, ended.lines), (0, ["total: 8.35"]))


if __name__ == "__main__":
    unittest.main()
