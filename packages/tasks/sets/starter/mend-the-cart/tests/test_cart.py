import unittest

from cart import Cart


class CartTest(unittest.TestCase):
    def test_adding_again(self):
        cart = Cart()
        cart.add("tea", 250, 2)
        cart.add("tea", 250)
        self.assertEqual(cart.total(), 750)

    def test_discount(self):
        cart = Cart()
        cart.add("nut", 5, 10)
        self.assertEqual(cart.total(), 45)


if __name__ == "__main__":
    unittest.main()
