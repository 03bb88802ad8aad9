import { describe, expect, it } from "vitest";
import { findPlaceholders } from "./find-placeholders.ts";

const at = (content: string, path = "main.py") => findPlaceholders([{ path, encoding: "utf8", content }]);

describe("findPlaceholders()", () => {
  it.each([
    ["def f(x):\n    pass\n"],
    ["def f(x):\n    # Implement currency conversion logic here\n    pass\n\nprint(1)\n"],
    ['def f(x):\n    """Adds.\n\n    More.\n    """\n    raise NotImplementedError("later")\n'],
    ["class A:\n    def f(self):\n        '''One line.'''\n        ...\n\n    def g(self):\n        return 1\n"],
    ["def f(): pass\n"],
    ["def f(x):\n    # TODO: write this\n    return x\n"],
    ["def f(x):\n    # Your code here\n    return x\n"],
  ])("finds what is open in %j", (content) => expect(at(content)).toHaveLength(content.includes("# Implement") ? 2 : 1));

  it.each([
    ["class NoUnit(Exception):\n    pass\n"],
    ["try:\n    x = 1\nexcept ValueError:\n    pass\n"],
    ["def f(x):\n    if x:\n        pass\n    return x\n"],
    ["class A(ABC):\n    @abstractmethod\n    def f(self):\n        pass\n"],
    ["class A:\n    def __init__(self):\n        pass\n"],
    ["def f(x):\n    return x  # the implementation is here\n"],
    ["# Add a task to the list\ndef add(x):\n    return x\n"],
    ["def todo(x):\n    return 'TODO: x'\n"],
    ["# Todo list application\n# TODO list\nprint(1)\n"],
    ["def f(x):\n    # Implement the conversion logic\n    return x * 2\n"],
    ["# Write the tasks to the file\nprint(1)\n"],
  ])("finds nothing in %j", (content) => expect(at(content)).toEqual([]));

  it("says where", () => expect(at("x = 1\n\ndef f():\n    pass\n")).toEqual(["main.py:3: def f():"]));

  it("reads scripts, not other files", () => {
    expect(at("function f() {\n  // TODO\n}\n", "main.js")).toHaveLength(1);
    expect(at("# TODO", "notes.md")).toEqual([]);
  });
});
