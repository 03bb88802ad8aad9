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
    expect(stdout).toContain("AssertionError: 3 != 4");
    expect(stdout).toContain("self.assertEqual(add(1, 2), 4)");
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
