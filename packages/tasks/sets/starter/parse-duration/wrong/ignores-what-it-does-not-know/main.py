import re


def parse_duration(text):
    parts = [re.search(rf"([0-9]+){unit}", text) for unit in "dhms"]
    if not any(parts):
        raise ValueError(f"not a duration: {text!r}")
    return sum(int(part.group(1)) * seconds for part, seconds in zip(parts, (86400, 3600, 60, 1)) if part)
