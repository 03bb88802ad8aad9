def build_order(needs):
    waiting = {name: set(needed) for name, needed in needs.items()}
    for needed in needs.values():
        for name in needed:
            waiting.setdefault(name, set())
    order = []
    while waiting:
        free = [name for name, needed in waiting.items() if not needed]
        if not free:
            raise ValueError("tasks need each other in a circle")
        first = min(free)
        order.append(first)
        del waiting[first]
        for needed in waiting.values():
            needed.discard(first)
    return order
