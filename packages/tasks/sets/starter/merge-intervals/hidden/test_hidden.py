import copy
import unittest

from main import merge_intervals


class MergeIntervalsTest(unittest.TestCase):
    def check(self, intervals, merged):
        self.assertEqual([list(interval) for interval in merge_intervals(intervals)], merged)

    def test_nothing_to_merge(self):
        self.check([], [])
        self.check([[4, 4]], [[4, 4]])
        self.check([[1, 2], [3, 4]], [[1, 2], [3, 4]])

    def test_overlap(self):
        self.check([[1, 3], [2, 6], [8, 10]], [[1, 6], [8, 10]])

    def test_any_order(self):
        self.check([[8, 10], [2, 6], [1, 3], [-5, 0]], [[-5, 0], [1, 6], [8, 10]])

    def test_shared_end_point(self):
        self.check([[3, 5], [1, 3]], [[1, 5]])

    def test_contained(self):
        self.check([[1, 10], [2, 3], [4, 5], [9, 12]], [[1, 12]])

    def test_input_is_not_changed(self):
        intervals = [[5, 7], [1, 6], [6, 9]]
        before = copy.deepcopy(intervals)
        self.check(intervals, [[1, 9]])
        self.assertEqual(intervals, before)


if __name__ == "__main__":
    unittest.main()
