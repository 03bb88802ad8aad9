import { createSandbox } from "@troupe/sandbox";
import { type FileEntry, type Language, type Sandbox, type Task, task } from "@troupe/schema";
import { gradeProduct } from "@troupe/tasks";
import { beforeAll, describe, expect, test } from "vitest";

const { signal } = new AbortController();
const file = (path: string, content: string): FileEntry => ({ path, encoding: "utf8", content });

const unittestOfF = `
import unittest
from main import f


class Test(unittest.TestCase):
    def test_f(self):
        self.assertEqual(f(), 1)


if __name__ == "__main__":
    unittest.main()
`;
const scriptOfF = "from main import f\nassert f() == 1\n";
const nodeScriptOfF = 'import assert from "node:assert/strict";\nimport main from "./main.js";\nassert.equal(main.f(), 1);\n';
const nodeTestOfF = `import { test } from "node:test";\n${nodeScriptOfF.replace("assert.equal", 'test("f", () => assert.equal').replace("1);", "1));")}`;

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox("auto", { signal });
});

function taskOf(language: Language, test: FileEntry, args = [test.path]): Task {
  const command = { program: language === "python" ? "python" : "node", args };
  return task.parse({ id: "t", prompt: "x", language, grader: { kind: "tests", files: [test], command, seconds: 5 } });
}

async function grade(of: Task, ...files: FileEntry[]): Promise<string> {
  const { passed, reason } = await gradeProduct(of, { kind: "files", files }, { sandbox, signal });
  return passed ? "passed" : reason;
}

const cheats = {
  "exits while it is imported": "import sys\nsys.exit(0)\n",
  "exits without clean-up while it is imported": "import os\nos._exit(0)\n",
  "raises SystemExit in the function": "def f():\n    raise SystemExit\n",
  "exits without clean-up in the function": "import os\ndef f():\n    os._exit(0)\n",
  "runs unittest itself": "import unittest\nunittest.main()\ndef f(): return 2\n",
  "leaves its exit for later": "import atexit, os\natexit.register(os._exit, 0)\ndef f(): return 2\n",
  "prints what a passing test prints": "print('OK')\ndef f(): return 2\n",
};

describe.each([
  ["a unittest", unittestOfF, ["test_hidden.py"]],
  ["a unittest called by module", unittestOfF, ["-m", "unittest", "test_hidden"]],
  ["a script of assertions", scriptOfF, ["test_hidden.py"]],
])("gradeProduct() with %s in the sandbox", (_name, source, args) => {
  const of = taskOf("python", file("test_hidden.py", source), args);

  test("passes what is right", async () => {
    expect(await grade(of, file("main.py", "def f(): return 1\n"))).toBe("passed");
  });

  test.each(Object.entries(cheats))("does not pass a product that %s", async (_what, product) => {
    expect(await grade(of, file("main.py", product))).not.toBe("passed");
  });
});

describe("gradeProduct() in the sandbox", () => {
  const of = taskOf("python", file("test_hidden.py", unittestOfF));

  test("ignores files of the product that stand in for what the test uses", async () => {
    const wrong = file("main.py", "def f(): return 2\n");
    const fake = "import os\nos._exit(0)\ndef main(): pass\nclass TestCase: pass\n";
    for (const path of ["test_hidden.py", "unittest.py", "runpy.py", "troupe_prove.py"]) {
      expect(await grade(of, wrong, file(path, fake)), path).not.toBe("passed");
    }
  });

  test("ends a product that never ends", async () => {
    const endless = taskOf("python", file("test_hidden.py", unittestOfF));
    const product = file("main.py", "def f():\n    while True: pass\n");
    expect(await grade({ ...endless, grader: { ...endless.grader, seconds: 1 } as Task["grader"] }, product)).not.toBe("passed");
  });

  test("passes a right product that prints a lot and reads standard input", async () => {
    const product = file("main.py", "import sys\nprint('x' * 200_000)\nassert sys.stdin.read() == ''\ndef f(): return 1\n");
    expect(await grade(of, product)).toBe("passed");
  });

  test("says which assertion failed", async () => {
    expect(await grade(of, file("main.py", "def f(): return 2\n"))).toBe("A hidden test failed: AssertionError: 2 != 1");
  });
});

describe.each([
  ["a script of assertions", nodeScriptOfF],
  ["node:test", nodeTestOfF],
])("gradeProduct() with %s in Node", (_name, source) => {
  const of = taskOf("javascript", file("hidden.test.mjs", source));

  test("passes what is right", async () => {
    expect(await grade(of, file("main.js", "exports.f = () => 1;"))).toBe("passed");
  });

  test.each([
    ["is wrong", "exports.f = () => 2;"],
    ["exits while it is imported", "process.exit(0);"],
    ["exits in the function", "exports.f = () => process.exit(0);"],
    ["exits at the first chance", "setImmediate(() => process.exit(0)); exports.f = () => 2;"],
    ["swallows every error", 'process.on("uncaughtException", () => process.exit(0)); exports.f = () => 2;'],
  ])("does not pass a product that %s", async (_what, product) => {
    expect(await grade(of, file("main.js", product))).not.toBe("passed");
  });
});

test("gradeProduct() runs TypeScript tests on TypeScript products", async () => {
  const hidden = file(
    "hidden.test.ts",
    'import assert from "node:assert/strict";\nimport { f } from "./main.ts";\nassert.equal(f(), 1);\n',
  );
  const of = taskOf("typescript", hidden);
  expect(await grade(of, file("main.ts", "export const f = (): number => 1;"))).toBe("passed");
  expect(await grade(of, file("main.ts", "export const f = (): number => 2;"))).not.toBe("passed");
});
