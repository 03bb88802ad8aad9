import unittest

from run_program import run


class TicTacToeTest(unittest.TestCase):
    def check(self, verdict, *boards):
        for board in boards:
            ended = run(stdin=board.replace("/", "\n") + "\n")
            self.assertEqual((ended.code, ended.lines), (0, [verdict]), board)

    def test_x_wins(self):
        self.check("X wins", "XXX/OO./...", "XO./XO./X..", "X.O/OX./..X", "OOX/.X./X..", "XOX/OXO/XOX")

    def test_o_wins(self):
        self.check("O wins", "OOO/XX./X..", "XOX/.O./XO.", "OX./XO./X.O", "XXO/XO./O..")

    def test_draw(self):
        self.check("draw", "XOX/XOO/OXX", "XXO/OOX/XOX")

    def test_open(self):
        self.check("open", ".../.../...", "X../.O./...", "XOX/XOO/OX.")

    def test_impossible_counts(self):
        self.check("invalid", "XX./.../...", "O../.../...", "XXX/.../...", "OO./X../...")

    def test_impossible_wins(self):
        self.check("invalid", "XXX/OOO/...", "XXX/OO./O..", "OOO/XX./XX.")

    def test_malformed(self):
        self.check("invalid", "", "XO/.../...", "X.../.../...", ".../...", ".../.../.../...", "xo./.../...", "X O/.../...")


if __name__ == "__main__":
    unittest.main()
