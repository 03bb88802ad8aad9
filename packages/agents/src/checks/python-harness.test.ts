import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { harnessPath, pythonHarness } from "./python-harness.ts";

const folder = mkdtempSync(join(tmpdir(), "troupe-harness-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the harness on files written in this test, which is why no sandbox is needed. */
function runHarness(mode: "import" | "tests", files: Record<string, string>) {
  const at = mkdtempSync(join(folder, "run-"));
  for (const [path, content] of Object.entries({ ...files, [harnessPath]: pythonHarness.content })) {
    mkdirSync(dirname(join(at, path)), { recursive: true });
    writeFileSync(join(at, path), content);
  }
  const paths = mode === "import" ? ["solution.py"] : Object.keys(files).filter((path) => path.includes("test"));
  const { status, stdout, stderr } = spawnSync("python3", [harnessPath, mode, ...paths], { cwd: at, encoding: "utf8", input: "" });
  return { status, stdout, stderr };
}

const main = "def add(a, b):\n    return a + b\n";
const unittests = `import unittest
from main import add

class TestAdd(unittest.TestCase):
    def test_right(self):
        self.assertEqual(add(1, 2), 3)

    def test_wrong(self):
        self.assertEqual(add(1, 2), 4)

    def test_many(self):
        for n in (1, 2):
            with self.subTest(n=n):
                self.assertEqual(n, 1)

if __name__ == "__main__":
    unittest.main()
`;

describe("pythonHarness", () => {
  it("runs unittest classes and shows what failed", () => {
    const { status, stdout } = runHarness("tests", { "main.py": main, "test_main.py": unittests });
    expect(status).toBe(1);
    expect(stdout).toContain("Ran 3 tests: 1 passed, 2 failed");
    expect(stdout).toContain("Wrong: add(1, 2) is 3, but must be 4");
    expect(stdout).toContain("Wrong: n is 2, but must be 1");
  });

  it("takes the literal for what is expected, on either side", () => {
    const { stdout } = runHarness("tests", {
      "main.py": main,
      "test_main.py":
        "import unittest\nfrom main import add\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(\n            4,\n            add(1, 2),\n        )\n",
    });
    expect(stdout).toContain("Wrong: add(1, 2) is 3, but must be 4");
  });

  it("tells which program the test had called, what came of it, and which lines ran last", () => {
    const { stdout } = runHarness("tests", {
      "main.py":
        "import sys\ntext = sys.stdin.read()\nif text == 'a':\n    print('never')\nif text != 'x':\n    print('bad input', file=sys.stderr)\n",
      "test_main.py": `import subprocess, sys, unittest

class T(unittest.TestCase):
    def test_code(self):
        done = subprocess.run([sys.executable, "main.py", "1", "two words"], input="b", capture_output=True, text=True)
        self.assertEqual(done.returncode, 3)
`,
    });
    expect(stdout).toContain(`Called: python main.py 1 'two words'
Its input: 'b'
Exit code: 0
Standard output: nothing
Standard error: 'bad input'
The lines of main.py that ran last:
   1  import sys
   2  text = sys.stdin.read()
   3  if text == 'a':
   5  if text != 'x':
   6  print('bad input', file=sys.stderr)
Wrong: done.returncode is 0, but must be 3
So in this case it must call sys.exit(3) right after it prints 'bad input'`);
  });

  it("says which message stands in the place of the output", () => {
    const { stdout } = runHarness("tests", {
      "main.py": "import sys\nif len(sys.argv) < 9:\n    sys.exit('too few')\n",
      "test_main.py":
        "import subprocess, sys, unittest\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(subprocess.run([sys.executable, 'main.py'], capture_output=True, text=True).stdout, 'x')\n",
    });
    expect(stdout).toContain("So in this case it must not print 'too few': look at the condition before that message");
  });

  const calling = (call: string) =>
    `import subprocess, sys, unittest\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(${call}, 'x')\n`;

  it("survives a program that pretends to tell which lines ran", () => {
    const { stdout } = runHarness("tests", {
      "main.py": "import os, sys\nprint('lines that ran last: abc -3 0 999999 2', file=sys.stderr, flush=True)\nos._exit(0)\n",
      "test_main.py": calling("subprocess.run([sys.executable, 'main.py'], capture_output=True, text=True).stdout"),
    });
    expect(stdout).toContain("Ran 1 tests: 0 passed, 1 failed");
    expect(stdout.match(/^ +\d+ {2}/gm)).toEqual(["   2  "]);
  });

  it("does not take an earlier call for one that raised", () => {
    const { stdout } = runHarness("tests", {
      "main.py": "import sys, time\nprint(sys.argv[1])\ntime.sleep(9 if sys.argv[1] == 'slow' else 0)\n",
      "test_main.py": `import subprocess, sys, unittest

class T(unittest.TestCase):
    def test(self):
        subprocess.run([sys.executable, "main.py", "fast"], capture_output=True)
        subprocess.run([sys.executable, "main.py", "slow"], capture_output=True, timeout=0.3)
`,
    });
    expect(stdout).toContain("TimeoutExpired");
    expect(stdout).not.toContain("Called: python main.py fast");
  });

  it("runs a failed program again for the two failures that are shown, not for more", () => {
    const test = (name: string) =>
      `    def test_${name}(self):\n        self.assertEqual(subprocess.run([sys.executable, 'main.py'], capture_output=True, text=True).stdout, 'x')\n`;
    const { stdout } = runHarness("tests", {
      "main.py": "import os\nos.write(os.open('count', os.O_CREAT | os.O_APPEND | os.O_WRONLY), b'.')\n",
      "test_main.py": `import subprocess, sys, unittest\n\nclass T(unittest.TestCase):\n${["a", "b", "c", "d"].map(test).join("")}`,
      "test_z.py": "assert len(open('count').read()) == 6, len(open('count').read())\n",
    });
    expect(stdout).toContain("Ran 5 tests: 1 passed, 4 failed");
  });

  it("shows no lines of a program that runs another way the second time", () => {
    const { stdout } = runHarness("tests", {
      "main.py": "import os\nprint(os.path.exists('seen'))\nopen('seen', 'w').close()\n",
      "test_main.py":
        "import subprocess, sys, unittest\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(subprocess.run([sys.executable, 'main.py'], capture_output=True, text=True).stdout, 'x')\n",
    });
    expect(stdout).toContain("Standard output: 'False'");
    expect(stdout).not.toContain("ran last");
  });

  it("runs plain functions, scripts with asserts, and tests in a folder", () => {
    const files = {
      "main.py": main,
      "test_functions.py": "from main import add\n\ndef test_add():\n    assert add(1, 2) == 3\n",
      "test_script.py": "from main import add\nassert add(1, 1) == 2\nprint('noise')\n",
      "tests/test_guarded.py": "from main import add\nif __name__ == '__main__':\n    assert add(0, 0) == 1, 'guarded'\n",
    };
    const { status, stdout } = runHarness("tests", files);
    expect(status).toBe(1);
    expect(stdout).toContain("guarded");
    expect(stdout).not.toContain("noise");
    expect(stdout).toMatch(/Ran \d tests: \d passed, 1 failed/);
  });

  it("ends with 0 when all pass, also when the tests end by sys.exit(0)", () => {
    const { status, stdout } = runHarness("tests", {
      "main.py": main,
      "test_a.py": "from main import add\nimport sys\nassert add(1, 1) == 2\nsys.exit(0)\n",
    });
    expect([status, stdout.trim()]).toEqual([0, "Ran 1 tests: 1 passed, 0 failed"]);
  });

  it("counts a module that can't be imported as failed", () => {
    const { status, stdout } = runHarness("tests", { "test_a.py": "import nothing_there\n" });
    expect(status).toBe(1);
    expect(stdout).toContain("ModuleNotFoundError");
    expect(stdout).toContain("Ran 1 tests: 0 passed, 1 failed");
  });

  it("imports a module without running its main part", () => {
    expect(runHarness("import", { "solution.py": "import sys\nif __name__ == '__main__':\n    sys.exit(3)\n" }).status).toBe(0);
    const broken = runHarness("import", { "solution.py": "x = undefined_name\n" });
    expect([broken.status, broken.stderr.includes("NameError")]).toEqual([1, true]);
  });
});
