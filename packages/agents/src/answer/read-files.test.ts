import { type FileEntry, isWorkspacePath } from "@troupe/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FilesQuestion } from "./files-question.ts";
import { readFiles } from "./read-files.ts";

const program = `import sys


def add(a, b):
    return a + b


def main():
    print(add(1, 2))


if __name__ == "__main__":
    main()`;
const tests = `import unittest
from main import add


class TestAdd(unittest.TestCase):
    def test_add(self):
        self.assertEqual(add(1, 2), 3)


if __name__ == "__main__":
    unittest.main()`;
const script = `const fs = require("node:fs");

function count(text) {
  return text.split(/\\s+/).length;
}

console.log(count(fs.readFileSync(0, "utf8")));`;
const fenced = (info: string, body: string) => `\`\`\`${info}\n${body}\n\`\`\``;
const python: FilesQuestion = { language: "python", entry: "main.py", known: [], cut: false };
const known = (...files: [string, string][]): FileEntry[] => files.map(([path, content]) => ({ path, encoding: "utf8", content }));
const main = { "main.py": program };

/** What small models write, what it is, and the files it must give. */
const table: [string, string, Record<string, string>, Partial<FilesQuestion>?][] = [
  ["a plain block", fenced("python", program), main],
  ["prose around", `Sure! Here is the program:\n\n${fenced("python", program)}\n\nIt adds two numbers. Enjoy!`, main],
  ["a path in the info string", fenced("python main.py", program), main],
  ["a path after a colon", fenced("python:main.py", program), main],
  ["a path alone as the info string", fenced("main.py", program), main],
  ["filename= in the info string", fenced('python filename="main.py"', program), main],
  ["an attribute list", fenced("{.python title='main.py'}", program), main],
  ["a path alone on the line before", `main.py\n${fenced("python", program)}`, main],
  ["a bold path before", `**main.py**\n\n${fenced("python", program)}`, main],
  ["a bold path with a colon in backticks", `**\`main.py\`:**\n${fenced("python", program)}`, main],
  ["a heading with File:", `### File: main.py\n${fenced("python", program)}`, main],
  ["a numbered heading", `1. main.py\n${fenced("python", program)}`, main],
  ["a heading with words and a path", `### Step 2: the tests (\`test_main.py\`)\n${fenced("python", tests)}`, { "test_main.py": tests }],
  ["a sentence that introduces a path", `Create a file named \`tool.txt\`:\n${fenced("", "hello")}`, { "tool.txt": "hello" }],
  ["a first comment with the path, which is taken off", fenced("python", `# main.py\n${program}`), main],
  ["a first comment with File:", fenced("python", `# File: main.py\n${program}`), main],
  [
    "a described first comment, which stays",
    fenced("python", `# main.py - adds numbers\n${program}`),
    { "main.py": `# main.py - adds numbers\n${program}` },
  ],
  ["a ./ before the path", fenced("python ./main.py", program), main],
  ["two files", `main.py\n${fenced("python", program)}\n\ntest_main.py\n${fenced("python", tests)}`, { ...main, "test_main.py": tests }],
  [
    "two unnamed blocks, program and tests",
    `${fenced("python", program)}\nAnd the tests:\n${fenced("python", tests)}`,
    { ...main, "test_main.py": tests },
  ],
  ["a missing closing fence", `\`\`\`python\n${program}`, main],
  [
    "a closing fence forgotten before the next file",
    `main.py\n\`\`\`python\n${program}\n\`\`\`python test_main.py\n${tests}\n\`\`\``,
    { ...main, "test_main.py": tests },
  ],
  ["a fence opened before the path already", `\`\`\`python\ntest_main.py\n${fenced("python", tests)}`, { "test_main.py": tests }],
  ["only the closing fence", `${program}\n\`\`\`\nThis program adds numbers.`, main],
  ["no fence at all", program, main],
  [
    "no fence and prose around",
    `Here is the program that you asked for.\n\n${program}\n\nThis program adds two numbers and prints the result.`,
    main,
  ],
  ["a wrong tag", fenced("javascript", program), main],
  ["no tag", fenced("", program), main],
  ["tildes", `~~~python\n${program}\n~~~`, main],
  ["a longer fence", `\`\`\`\`python\n${program}\n\`\`\`\``, main],
  ["an indented fence", fenced("python", program).replaceAll(/^/gm, "   "), main],
  ["CRLF", fenced("python", program).replaceAll("\n", "\r\n"), main],
  ["a shell block after it", `${fenced("python", program)}\nRun it:\n${fenced("bash", "python main.py 1 2")}`, main],
  ["an untagged shell block after it", `${fenced("python", program)}\nRun main.py:\n${fenced("", "$ python main.py\n3")}`, main],
  ["an output block after it", `${fenced("python", program)}\nOutput:\n${fenced("", "3")}`, main],
  [
    "a usage example that imports it",
    `${fenced("python", program)}\nUsage:\n${fenced("python", "from main import add\nprint(add(1, 2))")}`,
    main,
  ],
  ["a tiny usage example under its name", `${fenced("python main.py", program)}\n${fenced("python main.py", "print(add(3, 4))")}`, main],
  ["a REPL session after it", `${fenced("python", program)}\n${fenced("python", ">>> add(1, 2)\n3")}`, main],
  [
    "a first try, then the whole file",
    `${fenced("python", "def add(a, b):\n    return a - b")}\nBetter:\n${fenced("python", program)}`,
    main,
  ],
  [
    "the same file twice: the last whole one",
    `${fenced("python", program.replace("a + b", "a - b"))}\nCorrected:\n${fenced("python", program)}`,
    main,
  ],
  [
    "the whole file, then a version with code left out",
    `${fenced("python", program)}\n${fenced("python", `${program}\n# ... rest of the code remains the same`)}`,
    main,
  ],
  [
    "the tests once more under the program's name",
    `main.py\n${fenced("python", `${program}\n\n${tests}`)}\nmain.py\n${fenced("python", tests.replace("from main import add\n", ""))}`,
    { "main.py": `${program}\n\n${tests}` },
  ],
  [
    "a project folder before every path",
    `app/main.py\n${fenced("python", program)}\napp/test_main.py\n${fenced("python", tests)}`,
    { ...main, "test_main.py": tests },
  ],
  ["another name for the only program", `adder.py\n${fenced("python", program)}`, main],
  [
    "a data file by its name",
    `${fenced("python main.py", program)}\nconfig.json\n${fenced("json", '{"a": 1}')}`,
    { ...main, "config.json": '{"a": 1}' },
  ],
  ["an unnamed JSON block, which is no file", `${fenced("python", program)}\nIt reads:\n${fenced("json", '{"a": 1}')}`, main],
  [
    "a README with blocks inside",
    `README.md\n\`\`\`markdown\n# Adder\n\`\`\`bash\npython main.py\n\`\`\`\nDone.\n\`\`\``,
    { "README.md": "# Adder\n```bash\npython main.py\n```\nDone." },
  ],
  ["tests alone for a known program", fenced("python", tests), { "test_main.py": tests }, { known: known(["main.py", program]) }],
  ["a module task", fenced("python", "def f(x):\n    return x"), { "solution.py": "def f(x):\n    return x" }, { entry: "solution.py" }],
  ["JavaScript", `Here:\n${fenced("js", script)}`, { "main.js": script }, { language: "javascript", entry: "main.js" }],
  [
    "JavaScript with a path comment",
    fenced("javascript", `// main.js\n${script}`),
    { "main.js": script },
    { language: "javascript", entry: "main.js" },
  ],
  ["JavaScript without a fence", script, { "main.js": script }, { language: "javascript", entry: "main.js" }],
  ["a tool block, which is no file", `${fenced("tool", '{"tool": "run_tests"}')}\n${fenced("python", program)}`, main],
  ["nothing", "", {}],
  ["only prose", "I think that the program should add numbers. It is simple to write in Python.", {}],
  ["a list of steps", "1. Read the input.\n2. Add the numbers.\n3. Print the result.", {}],
  ["an empty block", "```python\n\n```", {}],
];

describe("readFiles()", () => {
  it.each(table)("reads %s", (_name, answer, expected, question) => {
    const { files } = readFiles(answer, { ...python, ...question });
    expect(Object.fromEntries(files.map((file) => [file.path, file.content]))).toEqual(
      Object.fromEntries(Object.entries(expected).map(([path, content]) => [path, `${content}\n`])),
    );
  });

  it.each([
    ["an absolute path", "/etc/passwd.txt"],
    ["a path that climbs out", "../../evil.py"],
    ["a hidden climb", "a/../../evil.py"],
    ["a drive", "C:\\evil.py"],
    ["a backslash path", "..\\evil.py"],
  ])("refuses %s with a note", (_name, path) => {
    for (const answer of [
      fenced(`python ${path}`, program),
      `${path}\n${fenced("python", program)}`,
      fenced("python", `# ${path}\n${program}`),
    ]) {
      const { files, notes } = readFiles(answer, python);
      expect(files).toEqual([]);
      expect(notes.join()).toContain("refused");
    }
  });

  it("leaves a diff aside with a note", () => {
    const diff = "--- a/main.py\n+++ b/main.py\n@@ -1,2 +1,2 @@\n-print(1)\n+print(2)";
    for (const info of ["diff", "", "python"]) {
      const { files, notes } = readFiles(fenced(info, diff), python);
      expect(files).toEqual([]);
      expect(notes.join()).toContain("diff");
    }
  });

  it("gives a file that was cut off only as a partial one", () => {
    const answer = `test_main.py\n${fenced("python", tests)}\nmain.py\n\`\`\`python\nimport sys\n\ndef add(a,`;
    const { files, partial, notes } = readFiles(answer, { ...python, cut: true });
    expect(files.map((file) => file.path)).toEqual(["test_main.py"]);
    expect(partial.map((file) => file.path)).toEqual(["main.py"]);
    expect(notes.join()).toContain("main.py is cut off");
  });

  it.each([
    ["# ... rest of the code remains the same"],
    ["# Rest of your code here"],
    ["    # ... (existing code)"],
    ["# ..."],
    ["# The remaining functions stay the same"],
    ["# existing code unchanged"],
  ])("sees that %s leaves code out", (line) => {
    const { files, partial, notes } = readFiles(fenced("python", `${program}\n${line}`), python);
    expect(files).toEqual([]);
    expect(partial).toHaveLength(1);
    expect(notes.join()).toContain("leaves code out");
  });

  it.each([["# The rest is added to the sum"], ["# same as add, but for three numbers"], ["# existing files are kept"], ["# Other units"]])(
    "does not mistake %s for code left out",
    (line) => expect(readFiles(fenced("python", `${program}\n${line}`), python).files).toHaveLength(1),
  );

  it("does not let one function replace a whole program", () => {
    const long = `${program}\n\ndef sub(a, b):\n    return a - b\n\ndef mul(a, b):\n    return a * b`;
    const { files, partial, notes } = readFiles(fenced("python", "def add(a, b):\n    return b + a"), {
      ...python,
      known: known(["main.py", long]),
    });
    expect(files).toEqual([]);
    expect(partial).toHaveLength(1);
    expect(notes.join()).toContain("only a piece");
  });

  it("never throws and never gives a path outside the workspace, whatever the text", () => {
    const piece = fc.oneof(
      fc.constantFrom(
        "```",
        "~~~",
        "```python",
        "```py ../x.py",
        "\n",
        "\r\n",
        "# /etc/x.py\n",
        "**a/../b.py**\n",
        "main.py\n",
        "def f():\n    pass\n",
        "--- a\n+++ b\n@@ \n",
        "    ",
        "…",
      ),
      fc.string(),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 30 }), fc.boolean(), (pieces, cut) => {
        const { files, partial } = readFiles(pieces.join(""), { ...python, cut });
        const paths = [...files, ...partial].map((file) => file.path);
        return paths.every(isWorkspacePath) && new Set(paths).size === paths.length;
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["spaces", " "],
    ["stars", "*"],
    ["backticks and spaces", "``` "],
    ["dots", "."],
    ["equal signs", "a="],
    ["brackets", "[("],
  ])(
    "is not slowed down by 200 kB of %s",
    (_name, unit) => {
      const text = `${unit.repeat(200_000 / unit.length)}!`;
      expect(readFiles(`${text}\n\`\`\`${text}\n# ${text}\n${text}\n\`\`\``, python).files.length).toBeLessThan(3);
    },
    10_000,
  );

  it("keeps a program whose docstring shows a session, and leaves a session aside", () => {
    const program = 'def double(n):\n    """Twice n.\n\n    >>> double(2)\n    4\n    """\n    return 2 * n';
    const text = `\`\`\`python\n${program}\n\`\`\`\n\nUse it so:\n\n\`\`\`python\n>>> from solution import double\n>>> double(3)\n6\n\`\`\`\n`;
    const { files } = readFiles(text, { language: "python", entry: "solution.py", known: [], cut: false });
    expect(files).toMatchObject([{ path: "solution.py", content: `${program}\n` }]);
  });
});
