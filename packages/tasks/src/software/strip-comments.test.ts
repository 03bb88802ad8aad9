import { describe, expect, it } from "vitest";
import { splitText } from "./split-text.ts";
import { stripComments } from "./strip-comments.ts";

describe("stripComments()", () => {
  it.each([
    ["x = 1  # one\n\n# two\ny = 2\n", "x = 1\ny = 2"],
    ["x = '# no comment'  # but this\n", "x = '# no comment'"],
    ['x = "it\'s \\" # none"\n', 'x = "it\'s \\" # none"'],
    ['"""Module.\n\nMore # text.\n"""\nimport os\n', "import os"],
    ['def f():\n    """Doc."""\n    return """text # kept"""\n', 'def f():\n    return """text # kept"""'],
    ["def f():\n    r'''Doc \\n'''  # why\n    return 1\n", "def f():\n    r\n    return 1"],
    ['print(\n    """kept"""\n)\n', 'print(\n    """kept"""\n)'],
    ['x = """open', 'x = """open'],
    ["a = f'{x!r}#{y}'\r\nb = 1 # c\r\n", "a = f'{x!r}#{y}'\nb = 1"],
  ])("takes comments and docstrings out of Python: %j", (source, code) => expect(stripComments("main.py", source)).toBe(code));

  it.each([
    ["const x = 1; // one\n/* two\n lines */ const y = 2;\n", "const x = 1;\n  const y = 2;"],
    ["const url = 'http://a'; // b\n", "const url = 'http://a';"],
    ["const t = `// kept \\` /* kept */`;\n", "const t = `// kept \\` /* kept */`;"],
    ["const r = /https?:\\/\\/[/*]+/g; // gone\n", "const r = /https?:\\/\\/[/*]+/g;"],
    ["const half = a / b; // gone / too\n", "const half = a / b;"],
    ["f(); /* never closed\n g();\n", "f();"],
  ])("takes comments out of scripts: %j", (source, code) => expect(stripComments("main.ts", source)).toBe(code));

  it("reads hostile text in time", () => {
    for (const piece of ["\\\\", '"""', "'''\\", "/*", "`\\", "/[", "#", "  /", '"\\', "'", "`a\\`"]) {
      const source = piece.repeat(20_000);
      expect(stripComments("a.py", source).length).toBeLessThanOrEqual(source.length);
      expect(stripComments("a.js", source).length).toBeLessThanOrEqual(source.length);
    }
  });
});

describe("splitText()", () => {
  it("cuts at the ends of lines, and long lines anywhere", () => {
    expect(splitText("aa\nbb\ncc\n", 6)).toEqual(["aa\nbb\n", "cc\n"]);
    expect(splitText("aaaaa\nb", 2)).toEqual(["aa", "aa", "a\n", "b"]);
    expect(splitText("", 5)).toEqual([]);
    const text = `${"x".repeat(10)}\n\n${"yy\n".repeat(9)}`;
    for (let most = 1; most < 40; most++) {
      const pieces = splitText(text, most);
      expect(pieces.join("")).toBe(text);
      expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(most);
    }
  });
});
