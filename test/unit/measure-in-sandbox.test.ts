import { createScriptedModel } from "@troupe/models";
import { createSandbox } from "@troupe/sandbox";
import { type PublicTask, type Sandbox, task } from "@troupe/schema";
import { type Measure, measureSoftware } from "@troupe/tasks";
import { beforeAll, describe, expect, test } from "vitest";

const { signal } = new AbortController();
let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await createSandbox("auto", { signal });
});

async function executabilityOf(content: string, more: Partial<PublicTask> = {}): Promise<Measure> {
  const of = task.parse({ id: "t", prompt: "Add two numbers", ...more });
  const path = of.language === "python" ? "main.py" : "main.js";
  const models = createScriptedModel([]);
  const product = { kind: "files" as const, files: [{ path, encoding: "utf8" as const, content }] };
  return (await measureSoftware(of, product, { sandbox, models, signal, seconds: 2 })).executability;
}

const adds = "import sys\nif len(sys.argv) != 3:\n    sys.exit('two numbers')\nprint(int(sys.argv[1]) + int(sys.argv[2]))\n";

describe("measureSoftware() in the sandbox", () => {
  test.each([
    ["ends well", "print(1)\n", 1],
    ["refuses to be called without arguments", adds, 1],
    ["has a parser of arguments", "import argparse\np = argparse.ArgumentParser()\np.add_argument('n')\np.parse_args()\n", 1],
    ["does not compile", "print(\n", 0],
    ["crashes", "print(1 / 0)\n", 0],
    ["lacks a module", "import no_such_module\n", 0],
    ["does not end", "while True:\n    pass\n", 0],
    ["kills itself", "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n", 0],
  ])("runs a program that %s", async (_, content, value) => {
    expect(await executabilityOf(content)).toMatchObject({ kind: "measured", value });
  });

  test("does not measure a program that asks for input, unless the task gives some", async () => {
    const asks = "print(int(input()) + 1)\n";
    expect(await executabilityOf(asks)).toMatchObject({ kind: "unmeasured" });
    expect(await executabilityOf(asks, { calls: [{ args: [], stdin: "4\n" }] })).toMatchObject({ value: 1 });
    expect(await executabilityOf(asks, { calls: [{ args: [], stdin: "four\n" }] })).toMatchObject({ value: 0 });
  });

  test("calls a program as the task says", async () => {
    const right = { args: ["1", "2"], stdin: "" };
    expect(await executabilityOf(adds, { calls: [right, right] })).toMatchObject({ value: 1 });
    expect(await executabilityOf(adds, { calls: [right, { args: [], stdin: "" }] })).toMatchObject({
      value: 0,
      reason: "`python main.py` ends with exit code 1: two numbers",
    });
  });

  test("runs scripts of Node", async () => {
    expect(await executabilityOf("console.log(1);\n", { language: "javascript" })).toMatchObject({ value: 1 });
    expect(await executabilityOf("null.f();\n", { language: "javascript" })).toMatchObject({
      value: 0,
      reason: expect.stringContaining("TypeError"),
    });
  });
});
