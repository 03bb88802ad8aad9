import unittest

from maze import shortest_path
from run_program import run


class ShortestPathTest(unittest.TestCase):
    def check(self, steps, *rows):
        self.assertEqual(shortest_path(list(rows)), steps)

    def test_small_mazes(self):
        self.check(1, "SG")
        self.check(1, "G", "S")
        self.check(5, "S.#", ".#G", "...")
        self.check(4, "S..", "...", "..G")

    def test_the_long_way_is_not_taken(self):
        self.check(2, "S.G", "...", "...")
        self.check(7, "S.......", ".######.", ".#....#.", "....G...")
        self.check(4, "..S..", ".###.", "G....")

    def test_around_walls(self):
        self.check(13, "S#...", ".#.#.", ".#.#.", "...#G")

    def test_no_path(self):
        self.check(None, "S#G")
        self.check(None, "S.#..", "..#.G", "..#..")

    def test_no_diagonal_steps(self):
        self.check(None, "S#", "#G")

    def test_edges_are_closed(self):
        self.check(None, ".S#G.")
        self.check(None, "S.#.G", "###.#")

    def test_large_open_maze(self):
        size = 60
        rows = ["." * size for _ in range(size)]
        rows[0] = "S" + "." * (size - 1)
        rows[-1] = "." * (size - 1) + "G"
        self.check(2 * (size - 1), *rows)


class ProgramTest(unittest.TestCase):
    def test_path(self):
        ended = run(stdin="S.#\n.#G\n...\n")
        self.assertEqual((ended.code, ended.lines), (0, ["shortest path: 5"]))

    def test_no_path(self):
        ended = run(stdin="S#G")
        self.assertEqual((ended.code, ended.lines), (0, ["no path"]))


if __name__ == "__main__":
    unittest.main()
