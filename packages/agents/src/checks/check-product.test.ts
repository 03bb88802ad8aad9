import { publicTask } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { fakeSandbox, toFiles } from "../../test/scripted-context.ts";
import { checkProduct } from "./check-product.ts";

const task = publicTask.parse({ id: "t", prompt: "Add two numbers." });
const { signal } = new AbortController();

describe("checkProduct()", () => {
  it("starts the program and runs its tests", async () => {
    const sandbox = fakeSandbox();
    const check = await checkProduct(toFiles({ "main.py": "", "test_main.py": "" }), { task, sandbox, signal });
    expect([check.program?.ok, check.tests?.ok]).toEqual([true, true]);
    expect(sandbox.jobs).toHaveLength(2);
  });

  it("runs no tests of a program that does not start", async () => {
    const sandbox = fakeSandbox(() => ({ exitCode: 1, stderr: "Traceback (most recent call last):\nNameError: x" }));
    const check = await checkProduct(toFiles({ "main.py": "", "test_main.py": "" }), { task, sandbox, signal });
    expect(check).toMatchObject({ program: { ok: false, text: expect.stringContaining("NameError") as string }, tests: undefined });
    expect(sandbox.jobs).toHaveLength(1);
  });

  it("has nothing to say of a tree without an entry and tests", async () => {
    expect(await checkProduct(toFiles({ "notes.txt": "" }), { task, sandbox: fakeSandbox(), signal })).toEqual({});
  });
});
