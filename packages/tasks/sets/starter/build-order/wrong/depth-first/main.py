def build_order(needs):
    order = []
    state = {}

    def visit(name):
        if state.get(name) == "open":
            raise ValueError("tasks need each other in a circle")
        if name in state:
            return
        state[name] = "open"
        for needed in sorted(needs.get(name, [])):
            visit(needed)
        state[name] = "done"
        order.append(name)

    for name in sorted(needs):
        visit(name)
    return order
