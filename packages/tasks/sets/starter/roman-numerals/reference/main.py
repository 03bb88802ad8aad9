NUMERALS = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"),
    (50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
]


def to_roman(number):
    if not 1 <= number <= 3999:
        raise ValueError(f"{number} is not between 1 and 3999")
    roman = ""
    for value, letters in NUMERALS:
        count, number = divmod(number, value)
        roman += letters * count
    return roman
