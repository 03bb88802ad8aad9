def is_valid_card(number):
    digits = number.replace(" ", "")
    if len(digits) < 2 or any(digit not in "0123456789" for digit in digits):
        return False
    total = 0
    for position, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if position % 2 else 1)
        total += value - 9 if value > 9 else value
    return total % 10 == 0
