def days_in_month(year, month):
    if not 1 <= month <= 12:
        raise ValueError(f"no such month: {month}")
    if month == 2:
        return 29 if year % 4 == 0 else 28
    return 30 if month in (4, 6, 9, 11) else 31
