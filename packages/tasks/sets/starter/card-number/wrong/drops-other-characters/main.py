def is_valid_card(number):
    digits = [int(digit) for digit in number if digit in "0123456789"]
    total = 0
    for position, value in enumerate(reversed(digits)):
        value *= 2 if position % 2 else 1
        total += value - 9 if value > 9 else value
    return total % 10 == 0
