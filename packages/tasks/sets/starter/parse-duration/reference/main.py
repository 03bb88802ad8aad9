import re

DURATION = re.compile(r"(?:([0-9]+)d)?(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?")
SECONDS = (86400, 3600, 60, 1)


def parse_duration(text):
    match = DURATION.fullmatch(text)
    if not text or not match:
        raise ValueError(f"not a duration: {text!r}")
    return sum(int(number or 0) * seconds for number, seconds in zip(match.groups(), SECONDS))
