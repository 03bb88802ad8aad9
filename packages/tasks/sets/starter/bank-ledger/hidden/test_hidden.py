import unittest

from run_program import run


class BankLedgerTest(unittest.TestCase):
    def check(self, commands, printed):
        ended = run(stdin="".join(command + "\n" for command in commands))
        self.assertEqual((ended.code, ended.lines), (0, printed))

    def test_deposit_and_balance(self):
        self.check(["balance ann", "deposit ann 5", "deposit ann 10", "balance ann"], ["ann: 0", "ann: 15"])

    def test_withdraw(self):
        commands = ["deposit ann 10", "withdraw ann 11", "withdraw ann 10", "withdraw ann 1", "balance ann"]
        self.check(commands, ["insufficient funds: ann", "insufficient funds: ann", "ann: 0"])

    def test_transfer(self):
        commands = ["deposit ann 100", "transfer ann bob 30", "withdraw bob 50", "balance ann", "balance bob"]
        self.check(commands, ["insufficient funds: bob", "ann: 70", "bob: 30"])

    def test_transfer_without_money_changes_nothing(self):
        commands = ["deposit ann 5", "transfer ann bob 6", "balance ann", "balance bob"]
        self.check(commands, ["insufficient funds: ann", "ann: 5", "bob: 0"])

    def test_transfer_to_oneself(self):
        self.check(["deposit ann 5", "transfer ann ann 3", "balance ann"], ["ann: 5"])

    def test_invalid_lines(self):
        lines = ["deposit ann", "deposit ann 0", "deposit ann -5", "deposit ann 1.5", "deposit ann x", "open ann 5",
                 "balance", "balance ann bob", "transfer ann 5", "withdraw ann 5 6"]
        self.check(["deposit ann 9", *lines, "balance ann"], [*(f"invalid: {line}" for line in lines), "ann: 9"])

    def test_empty_lines(self):
        self.check(["", "deposit ann 1", "", "balance ann"], ["ann: 1"])
        self.check([], [])


if __name__ == "__main__":
    unittest.main()
