import {
  type Artifact,
  type FileEntry,
  type Grader,
  type Sandbox,
  type SandboxJob,
  type SandboxResult,
  TroupeError,
  task,
} from "@troupe/schema";
import { expect, test } from "vitest";
import { type GradedTask, gradeProduct } from "./grade-product.ts";

const { signal } = new AbortController();
const file = (path: string, content = ""): FileEntry => ({ path, encoding: "utf8", content });
const product: Artifact = {
  kind: "files",
  files: [file("main.py", "product"), file("test.py", "product's own"), file("data.txt", "product's")],
};
const proved = [file("proof-n")];

const graded: GradedTask = task.parse({
  id: "t",
  prompt: "x",
  files: [
    { path: "data.txt", content: "given" },
    { path: "given.txt", content: "given" },
  ],
  grader: { kind: "tests", files: [{ path: "test.py", content: "hidden" }], command: { program: "python", args: ["test.py"] }, seconds: 7 },
});
const answered = (answer: string, choices?: string[]): GradedTask =>
  task.parse({ id: "q", prompt: "x", choices, grader: { kind: "answer", answer } });

function answering(result: Partial<SandboxResult>): { sandbox: Sandbox; jobs: SandboxJob[] } {
  const jobs: SandboxJob[] = [];
  const whole = {
    ended: "exited",
    exitCode: 0,
    stdout: "",
    stderr: "",
    truncated: false,
    seconds: 0,
    files: [],
    sandbox: "fake",
    ...result,
  } as const;
  const run = (job: SandboxJob) => {
    jobs.push(job);
    return Promise.resolve(whole);
  };
  return { sandbox: { name: "fake", strength: "none", run }, jobs };
}

function grade(result: Partial<SandboxResult>, artifact = product) {
  return gradeProduct(graded, artifact, { sandbox: answering(result).sandbox, signal, nonce: () => "n" });
}

test("gradeProduct() lays given files, product and hidden tests over each other, and wraps the command", async () => {
  const { sandbox, jobs } = answering({ files: proved });
  expect(await gradeProduct(graded, product, { sandbox, signal, nonce: () => "n" })).toMatchObject({ passed: true });
  const [job] = jobs;
  const contents = Object.fromEntries(job?.files.map(({ path, content }) => [path, content]) ?? []);
  expect(contents).toMatchObject({ "main.py": "product", "test.py": "hidden", "data.txt": "product's", "given.txt": "given" });
  expect(job?.command).toEqual({ program: "python", args: ["troupe_prove.py", "test.py"] });
  expect(job?.stdin).toBe("proof-n\n");
  expect(job?.limits).toEqual({ seconds: 7, cpuSeconds: 7 });
});

test("gradeProduct() makes a fresh proof for every call", async () => {
  const { sandbox, jobs } = answering({});
  await gradeProduct(graded, product, { sandbox, signal });
  await gradeProduct(graded, product, { sandbox, signal });
  expect(jobs[0]?.stdin).not.toBe(jobs[1]?.stdin);
});

test("gradeProduct() does not pass an exit with 0 without the proof", async () => {
  expect(await grade({})).toMatchObject({ passed: false, reason: expect.stringContaining("before their end") });
  expect(await grade({ files: [file("proof-m")] })).toMatchObject({ passed: false });
});

test("gradeProduct() says in one line why a product failed", async () => {
  const stderr = "Traceback:\nAssertionError: 1 != 2\n\nFAILED (failures=1)\n";
  expect(await grade({ exitCode: 1, stderr, files: proved })).toMatchObject({
    passed: false,
    reason: "A hidden test failed: AssertionError: 1 != 2",
  });
  expect(await grade({ exitCode: 3 })).toMatchObject({ reason: "A hidden test failed: exit code 3" });
  expect(await grade({ ended: "timeout", exitCode: null, files: proved })).toMatchObject({
    passed: false,
    reason: "The hidden tests took longer than 7 s.",
  });
  expect(await grade({ ended: "memory", exitCode: null })).toMatchObject({ passed: false, reason: expect.stringContaining("memory") });
  expect(await grade({ ended: "killed", exitCode: null })).toMatchObject({ passed: false, reason: expect.stringContaining("killed") });
});

test("gradeProduct() fails a product without its entry file or of another kind without running anything", async () => {
  const { sandbox, jobs } = answering({ files: proved });
  const products: Artifact[] = [
    { kind: "files", files: [] },
    { kind: "files", files: [file("Main.py")] },
    { kind: "text", text: "no program" },
    { kind: "json", value: {} },
  ];
  for (const artifact of products) expect(await gradeProduct(graded, artifact, { sandbox, signal })).toMatchObject({ passed: false });
  expect(jobs).toEqual([]);
});

test("gradeProduct() takes the one block of a text as the program", async () => {
  const text = "```python\nprint(1)\n```";
  expect(await grade({ files: proved }, { kind: "text", text })).toMatchObject({ passed: true });
});

test("gradeProduct() compares answers", async () => {
  const { sandbox } = answering({});
  const passed = async (of: GradedTask, artifact: Artifact) => (await gradeProduct(of, artifact, { sandbox, signal })).passed;
  expect(await passed(answered("42"), { kind: "text", text: "The answer is 42." })).toBe(true);
  expect(await passed(answered("42"), { kind: "json", value: 42 })).toBe(true);
  expect(await passed(answered("42"), { kind: "json", value: "42" })).toBe(true);
  expect(await passed(answered("B", ["x", "y"]), { kind: "choice", choice: "y" })).toBe(true);
  expect(await passed(answered("B", ["x", "y"]), { kind: "choice", choice: "x" })).toBe(false);
  expect(await passed(answered("42"), product)).toBe(false);
});

test("gradeProduct() fails a product that can't be laid out, and passes on what is the sandbox's fault", async () => {
  const failing = (code: "call_invalid" | "path_escapes" | "sandbox_failed"): Sandbox => ({
    name: "fake",
    strength: "none",
    run: () => Promise.reject(new TroupeError(code, "Said by the sandbox.")),
  });
  for (const code of ["call_invalid", "path_escapes"] as const) {
    const { passed, reason } = await gradeProduct(graded, product, { sandbox: failing(code), signal });
    expect([passed, reason]).toEqual([false, "The product can't be laid out: Said by the sandbox."]);
  }
  await expect(gradeProduct(graded, product, { sandbox: failing("sandbox_failed"), signal })).rejects.toMatchObject({
    code: "sandbox_failed",
  });
});

test("gradeProduct() refuses to grade where the sandbox can't start what the tests start", async () => {
  const { sandbox } = answering({ files: proved });
  const wasm: Sandbox = { ...sandbox, strength: "wasm" };
  const files = [file("run.cjs", 'require("node:child_process")')];
  const of = (program: "node" | "python") => ({
    ...graded,
    grader: { ...graded.grader, files, command: { program, args: ["t"] } } as Grader,
  });
  await expect(gradeProduct(of("node"), product, { sandbox: wasm, signal })).rejects.toMatchObject({ code: "sandbox_unavailable" });
  for (const [task, place] of [
    [of("python"), wasm],
    [of("node"), sandbox],
  ] as const) {
    expect(await gradeProduct(task, product, { sandbox: place, signal, nonce: () => "n" })).toMatchObject({ passed: true });
  }
});

test("gradeProduct() refuses a command that it can't prove the end of", async () => {
  const { sandbox } = answering({});
  for (const args of [[], ["-c", "pass"], ["-m"]]) {
    const grader = { ...graded.grader, command: { program: "python", args } } as Grader;
    await expect(gradeProduct({ ...graded, grader }, product, { sandbox, signal })).rejects.toMatchObject({ code: "task_set_invalid" });
  }
});

test("gradeProduct() throws for a task without grader and for an interruption", async () => {
  const { sandbox } = answering({ ended: "cancelled", exitCode: null });
  await expect(gradeProduct(graded, product, { sandbox, signal })).rejects.toMatchObject({ code: "cancelled" });
  await expect(gradeProduct(graded, product, { sandbox, signal: AbortSignal.abort() })).rejects.toMatchObject({ code: "cancelled" });
  await expect(gradeProduct({ ...graded, grader: undefined }, product, { sandbox, signal })).rejects.toMatchObject({
    code: "call_invalid",
  });
});
