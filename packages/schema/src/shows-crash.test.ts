import { describe, expect, it } from "vitest";
import { lackedInput, showsCrash } from "./shows-crash.ts";

describe("showsCrash()", () => {
  it.each([
    ['Traceback (most recent call last):\n  File "main.py", line 1\nZeroDivisionError: division by zero', true],
    ["/tmp/main.js:3\n  throw new TypeError('x');\n\nTypeError: x\n    at main (/tmp/main.js:3:9)", true],
    ["usage: main.py [-h] number\nmain.py: error: the following arguments are required: number", false],
    ["Error: no such file", false],
    ["", false],
  ])("looks at %j", (output, crashed) => expect(showsCrash(output)).toBe(crashed));
});

describe("lackedInput()", () => {
  it("knows Python's end of input", () => {
    expect(lackedInput("Your name: Traceback (most recent call last):\n…\nEOFError: EOF when reading a line")).toBe(true);
    expect(lackedInput("ValueError: EOFError")).toBe(false);
  });
});
