def to_roman(number):
    if not 1 <= number <= 3999:
        raise ValueError(f"{number} is not between 1 and 3999")
    roman = ""
    for value, letter in [(1000, "M"), (500, "D"), (100, "C"), (50, "L"), (10, "X"), (5, "V"), (1, "I")]:
        count, number = divmod(number, value)
        roman += letter * count
    return roman
