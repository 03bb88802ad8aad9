import {
  type Artifact,
  type EmbedRequest,
  type FileEntry,
  type ModelClient,
  noUsage,
  type Sandbox,
  type SandboxJob,
  type SandboxResult,
  task,
  TroupeError,
} from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { type MeasuredTask, type MeasureOptions, measureSoftware } from "./measure-software.ts";

const { signal } = new AbortController();
const taskOf = (more: object = {}): MeasuredTask => task.parse({ id: "t", prompt: "Sort numbers", ...more });
const filesOf = (...entries: [string, string][]): Artifact => ({
  kind: "files",
  files: entries.map(([path, content]): FileEntry => ({ path, encoding: "utf8", content })),
});
const program = filesOf(["main.py", "print(sorted([2, 1]))\n"]);

type Embed = (texts: readonly string[]) => readonly (readonly number[])[];

interface Setting {
  readonly result?: Partial<SandboxResult> | ((job: SandboxJob) => Partial<SandboxResult>) | Error;
  readonly embed?: Embed;
  readonly contextTokens?: number;
}

/** A sandbox and an embedding model that do what the test says, and what they were asked. */
function setting({ result = {}, embed = (texts) => texts.map(() => [1, 0]), contextTokens = 512 }: Setting) {
  const jobs: SandboxJob[] = [];
  const texts: (readonly string[])[] = [];
  const sandbox: Sandbox = {
    name: "fake",
    strength: "none",
    run: async (job) => {
      jobs.push(job);
      if (result instanceof Error) throw result;
      const own = typeof result === "function" ? result(job) : result;
      const plain = {
        ended: "exited",
        exitCode: 0,
        stdout: "",
        stderr: "",
        truncated: false,
        seconds: 0,
        files: [],
        sandbox: "fake",
      } as const;
      return { ...plain, ...own };
    },
  };
  const models: Pick<ModelClient, "embed" | "info"> = {
    info: async () => ({ contextTokens, tools: "text" }),
    embed: async (request: EmbedRequest) => {
      texts.push(request.texts);
      return { vectors: embed(request.texts).map((vector) => Float32Array.from(vector)), usage: noUsage, endpoint: "fake" };
    },
  };
  const options: MeasureOptions = { sandbox, models, signal };
  return { options, jobs, texts };
}

const measure = (product: Artifact | undefined, set: Setting = {}, of = taskOf()) => measureSoftware(of, product, setting(set).options);

describe("measureSoftware()", () => {
  it("measures a good program, and joins the figures in both ways", async () => {
    const embed: Embed = (texts) => texts.map((text) => (text.startsWith("Sort") ? [1, 0] : [0.6, 0.8]));
    const metrics = await measure(program, { embed });
    expect(metrics).toMatchObject({
      completeness: { kind: "measured", value: 1 },
      executability: { kind: "measured", value: 1, reason: "`python main.py` ends with exit code 0." },
      consistency: { kind: "measured", reason: "By embedding (fake); the code in 1 piece." },
    });
    const values = [metrics.consistency, metrics.quality, metrics.qualityMultiplied].map((part) => part.kind === "measured" && part.value);
    expect(values).toEqual([expect.closeTo(0.6), expect.closeTo(2.6 / 3), expect.closeTo(0.6)]);
  });

  it("measures nothing of what is no program, and joins nothing then", async () => {
    const metrics = await measure({ kind: "choice", choice: "B" });
    for (const part of Object.values(metrics)) expect(part.kind).toBe("unmeasured");
    expect(metrics.completeness.reason).toBe("The product is choice, not a program.");
    expect(metrics.quality.reason).toBe("completeness and executability and consistency could not be measured.");
  });

  it("takes a text with one block for the program", async () => {
    expect(await measure({ kind: "text", text: "Here:\n```python\nprint(1)\n```\n" })).toMatchObject({ executability: { value: 1 } });
  });

  it("says 0 of a run without a product", async () => {
    const zero = { kind: "measured", value: 0, reason: "The run made no product." };
    expect(await measure(undefined)).toMatchObject({ completeness: zero, executability: zero, consistency: zero, quality: { value: 0 } });
  });

  it("stops when interrupted", async () => {
    const controller = new AbortController();
    controller.abort();
    const pending = measureSoftware(taskOf(), program, { ...setting({}).options, signal: controller.signal });
    await expect(pending).rejects.toMatchObject({ code: "cancelled" });
  });
});

describe("measureSoftware() completeness", () => {
  it("says where code is left for later", async () => {
    const open = filesOf(["main.py", "def f():\n    pass\n\n# TODO: the rest\nf()\n"]);
    const { completeness } = await measure(open);
    expect(completeness).toEqual({ kind: "measured", value: 0, reason: "Code is left for later at main.py:1: def f(): and 1 more" });
  });

  it("looks at code of the product only", async () => {
    const given = [{ path: "lib.py", content: "def later():\n    pass\n" }];
    const withGiven = filesOf(["main.py", "import lib\n"], ["lib.py", given[0]?.content ?? ""]);
    expect((await measure(withGiven, {}, taskOf({ files: given }))).completeness).toMatchObject({ value: 1 });
    expect((await measure(withGiven)).completeness).toMatchObject({ value: 0 });
    expect((await measure(filesOf(["notes.md", "# TODO: all"]))).completeness).toMatchObject({ kind: "unmeasured" });
  });
});

const traceback = 'Traceback (most recent call last):\n  File "main.py", line 1, in <module>\n';

describe("measureSoftware() executability", () => {
  it.each<[string, Partial<SandboxResult>, number, string]>([
    [
      "a traceback",
      { exitCode: 1, stderr: `${traceback}NameError: name 'x' is not defined` },
      0,
      "crashes: NameError: name 'x' is not defined",
    ],
    ["a traceback and exit code 0", { stderr: `${traceback}ValueError: y` }, 0, "crashes: ValueError: y"],
    ["a traceback that it prints", { stdout: `${traceback}ValueError: y` }, 1, "ends with exit code 0"],
    ["a stack of Node", { exitCode: 1, stderr: "TypeError: x\n    at f (/w/main.js:1:2)\n" }, 0, "crashes: TypeError: x"],
    ["no end", { ended: "timeout", exitCode: null }, 0, "does not end within 10 s"],
    ["too much memory", { ended: "memory", exitCode: null }, 0, "runs out of memory"],
    ["a limit", { ended: "killed", exitCode: null }, 0, "killed at a limit"],
    [
      "a usage message",
      { exitCode: 2, stderr: "usage: main.py N\n" },
      1,
      "called without arguments, refuses with a message and exit code 2",
    ],
    ["an own message", { exitCode: 1, stderr: "three arguments are needed\n" }, 1, "refuses with a message and exit code 1"],
    ["an exit without a word", { exitCode: 1 }, 0, "ends with exit code 1."],
    ["another exit code", { exitCode: 70, stderr: "no\n" }, 0, "ends with exit code 70: no"],
  ])("called without arguments: %s", async (_, result, value, reason) => {
    expect((await measure(program, { result })).executability).toMatchObject({ value, reason: expect.stringContaining(reason) });
  });

  it("does not measure a program that asks for input when there is none to give", async () => {
    const stderr = `${traceback}EOFError: EOF when reading a line\n`;
    const { executability, quality } = await measure(program, { result: { exitCode: 1, stderr } });
    expect(executability).toMatchObject({ kind: "unmeasured", reason: expect.stringContaining("asks for input") });
    expect(quality).toMatchObject({ kind: "unmeasured", reason: "executability could not be measured." });
  });

  const calls = [{ args: ["5", "km"] }, { args: ["6"], stdin: "x" }];

  it("runs every example call, on given files with the product over them", async () => {
    const { options, jobs } = setting({});
    const of = taskOf({ calls, files: [{ path: "data.txt", content: "given" }] });
    expect(await measureSoftware(of, program, options)).toMatchObject({
      executability: { value: 1, reason: "All 2 example calls end with exit code 0." },
    });
    expect(jobs.map(({ command, stdin, limits }) => [command, stdin, limits?.seconds])).toEqual([
      [{ program: "python", args: ["main.py", "5", "km"] }, "", 10],
      [{ program: "python", args: ["main.py", "6"] }, "x", 10],
    ]);
    expect(jobs[0]?.files.map(({ path }) => path)).toEqual(["data.txt", "main.py"]);
  });

  it("wants exit code 0 of an example call, and input is no excuse then", async () => {
    const of = taskOf({ calls });
    const second = (result: Partial<SandboxResult>) => (job: SandboxJob) => (job.stdin === "x" ? result : {});
    const refusing = await measure(program, { result: second({ exitCode: 2, stderr: "usage: main.py" }) }, of);
    expect(refusing.executability).toMatchObject({ value: 0, reason: "`python main.py 6` ends with exit code 2: usage: main.py" });
    const asking = await measure(program, { result: second({ exitCode: 1, stderr: `${traceback}EOFError: EOF` }) }, of);
    expect(asking.executability).toMatchObject({ value: 0 });
  });

  it("says what lacks: the entry, a tree that can be laid out, a sandbox", async () => {
    expect((await measure(filesOf(["app.py", "1"]))).executability).toMatchObject({ value: 0, reason: "The product has no main.py." });
    const unfit = await measure(program, { result: new TroupeError("call_invalid", "a is a file and a folder") });
    expect(unfit.executability).toMatchObject({ value: 0, reason: "The product can't be laid out: a is a file and a folder" });
    const broken = await measure(program, { result: new TroupeError("sandbox_failed", "no namespaces") });
    expect(broken.executability).toEqual({ kind: "unmeasured", reason: "It could not be run: no namespaces" });
    await expect(measure(program, { result: new Error("a bug") })).rejects.toThrow("a bug");
  });
});

describe("measureSoftware() consistency", () => {
  it("compares the request with code without comments", async () => {
    const { options, texts } = setting({});
    await measureSoftware(taskOf(), filesOf(["b.py", "# b\ny = 2\n"], ["main.py", '"""Doc."""\nx = 1  # one\n']), options);
    expect(texts).toEqual([["Sort numbers", "y = 2\nx = 1"]]);
  });

  it("cuts what is too long, and weighs the pieces by their length", async () => {
    const code = `${"a = 1\n".repeat(170)}${"b = 2\n".repeat(85)}`;
    const embed: Embed = (texts) => texts.map((text) => (text.includes("a = 1") ? [1, 0] : text.includes("b = 2") ? [0, 1] : [1, 0]));
    const { options, texts } = setting({ embed });
    const { consistency } = await measureSoftware(taskOf(), filesOf(["main.py", code]), options);
    expect(texts[0]?.map((text) => text.length)).toEqual([12, 1020, 509]);
    expect(consistency).toMatchObject({ reason: "By embedding (fake); the code in 2 pieces." });
    // Twice as much of the first as of the second: cosine of (2, 1) with (1, 0).
    expect(consistency.kind === "measured" && consistency.value).toBeCloseTo(2 / Math.sqrt(5), 2);
  });

  it("halves the pieces when the model says that one is too long", async () => {
    const embed: Embed = (texts) => {
      if (texts.some((text) => text.length > 300)) throw new TroupeError("model_context_overflow", "too long");
      return texts.map(() => [0, 1]);
    };
    const { options, texts } = setting({ embed });
    const { consistency } = await measureSoftware(taskOf(), filesOf(["main.py", "x = 1\n".repeat(200)]), options);
    expect(consistency).toMatchObject({ kind: "measured", value: expect.closeTo(1) });
    expect(texts).toHaveLength(3);
  });

  it.each<[string, Setting, Artifact, string]>([
    [
      "a model that is not here",
      {
        embed: () => {
          throw new TroupeError("model_unavailable", "The model is not here. Get it.");
        },
      },
      program,
      "The embedding model can't be asked: The model is not here. Get it.",
    ],
    [
      "a model with no room at all",
      {
        embed: () => {
          throw new TroupeError("model_context_overflow", "too long");
        },
      },
      program,
      "The embedding model can't be asked: too long",
    ],
    ["comments only", {}, filesOf(["main.py", "# later\n"]), "The code is all comments."],
    ["no code", {}, filesOf(["main.txt", "x"]), "The product has no code of its own (.py, .js, .ts)."],
    [
      "pieces that cancel out",
      { embed: (texts) => texts.map((_, i) => (i % 2 ? [1, 0] : [-1, 0])), contextTokens: 16 },
      filesOf(["main.py", `${"a = 1234567890123456789012345\n"}${"bb = 1234567890123456789012345\n"}`]),
      "The vectors of the pieces cancel each other out.",
    ],
  ])("says why there is none: %s", async (_, set, product, reason) => {
    expect((await measure(product, set)).consistency).toEqual({ kind: "unmeasured", reason });
  });
});
