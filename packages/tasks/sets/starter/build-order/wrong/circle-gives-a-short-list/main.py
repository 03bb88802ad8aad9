def build_order(needs):
    waiting = {name: set(needed) for name, needed in needs.items()}
    for needed in needs.values():
        for name in needed:
            waiting.setdefault(name, set())
    order = []
    while any(not needed for needed in waiting.values()):
        first = min(name for name, needed in waiting.items() if not needed)
        order.append(first)
        del waiting[first]
        for needed in waiting.values():
            needed.discard(first)
    return order
