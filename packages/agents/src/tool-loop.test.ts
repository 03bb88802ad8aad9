import { type ChatRequest, type SandboxJob, type SandboxResult, TroupeError } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { fakeSandbox, fencedFile, filesArtifact, type Script, scriptedContext, toFiles, treeOf } from "../test/scripted-context.ts";
import { createAgentRunner } from "./create-agent-runner.ts";

const good = "print('good')\n";
const bad = "print(undefined_name)\n";
const worse = "import nothing_there\n";
const traceback = { exitCode: 1, stderr: "Traceback (most recent call last):\nNameError: undefined_name" };
const runsGood = (job: SandboxJob): Partial<SandboxResult> =>
  job.files.some((file) => file.path === "main.py" && file.content === good) ? { stdout: "good\n" } : traceback;
const lastPrompt = (request: ChatRequest | undefined) => request?.messages.at(-1)?.content ?? "";

async function run(script: Script, program: (job: SandboxJob) => Partial<SandboxResult> = runsGood) {
  const context = scriptedContext({ ...script, card: { tools: ["run_program"], ...script.card } });
  const sandbox = fakeSandbox(program);
  const artifact = await createAgentRunner({ sandbox })(context);
  return { tree: treeOf(artifact), context, sandbox };
}

describe("ToolLoop, running on the model's behalf", () => {
  it("stops when the program runs", async () => {
    const { tree, context, sandbox } = await run({ answers: [fencedFile("main.py", good)] });
    expect(tree).toEqual({ "main.py": good });
    expect(sandbox.jobs[0]).toMatchObject({ command: { program: "python", args: ["main.py"] }, stdin: "" });
    expect(context.reports).toMatchObject([{ tool: "run_program", input: "python main.py", ok: true, exitCode: 0, sandbox: "fake" }]);
  });

  it("shows what failed in the talk that led to it, and takes the corrected version", async () => {
    const { tree, context } = await run({ answers: [fencedFile("main.py", bad), fencedFile("main.py", good)] });
    expect(tree).toEqual({ "main.py": good });
    const [first, second] = context.requests;
    expect(second?.messages.slice(0, 2)).toEqual(first?.messages);
    expect(second?.messages[2]).toEqual({ role: "assistant", content: fencedFile("main.py", bad) });
    expect(lastPrompt(second)).toContain("NameError: undefined_name");
    expect(second?.messages).toHaveLength(4);
  });

  it("starts the talk anew when it would be too long, with the program in it", async () => {
    const long = `${bad}${"# filler\n".repeat(1200)}`;
    const answers = [fencedFile("main.py", long), fencedFile("main.py", good)];
    const { tree, context } = await run({ answers, model: { contextTokens: 4096 } });
    expect(tree).toEqual({ "main.py": good });
    expect(context.requests[1]?.messages).toHaveLength(2);
    expect(lastPrompt(context.requests[1])).toContain("NameError: undefined_name");
    expect(lastPrompt(context.requests[1])).toContain("print(undefined_name)");
  });

  it("goes on from a version that fails further on, though no more passes", async () => {
    const failing = (job: SandboxJob): Partial<SandboxResult> =>
      job.files.some((file) => file.content.startsWith(worse))
        ? { ...traceback, stderr: "Traceback (most recent call last):\nOSError" }
        : runsGood(job);
    const { tree, context } = await run({ answers: [bad, worse, good].map((content) => fencedFile("main.py", content)) }, failing);
    expect(tree).toEqual({ "main.py": good });
    expect(context.requests[2]?.messages).toHaveLength(6);
    expect(lastPrompt(context.requests[2])).toContain("OSError");
  });

  it("stops at the card's turns and keeps what there is", async () => {
    const answers = [bad, `${bad}#1`, `${bad}#2`, `${bad}#3`].map((content) => fencedFile("main.py", content));
    const { tree, context } = await run({ answers, card: { turns: 3 } });
    expect(context.requests).toHaveLength(3);
    expect(tree).toEqual({ "main.py": bad });
  });

  it("keeps what there is when the activation may use no more", async () => {
    const usedUp = (): never => {
      throw new TroupeError("activation_exhausted", "no more calls");
    };
    expect((await run({ answers: [fencedFile("main.py", bad), usedUp] })).tree).toEqual({ "main.py": bad });
    await expect(run({ answers: [usedUp] })).rejects.toMatchObject({ code: "activation_exhausted" });
    const candidates = [bad, good].map((content) => ["candidate", filesArtifact({ "main.py": content })] as const);
    const merged = await run({ answers: [usedUp], card: { kind: "aggregator" }, inputs: candidates });
    expect(merged.tree).toEqual({ "main.py": good });
  });

  it("asks for another program when a correction changed nothing, each time at a higher temperature", async () => {
    const { context, tree } = await run({ answers: Array(4).fill(fencedFile("main.py", bad)) as string[], temperature: 0.3 });
    expect(tree).toEqual({ "main.py": bad });
    expect(context.requests.map((request) => request.temperature)).toEqual([0.3, 0.3, 0.7, 0.8]);
    expect(lastPrompt(context.requests[2])).toContain("NameError: undefined_name");
    expect(lastPrompt(context.requests[2])).not.toContain("print(undefined_name)");
    const better = await run({ answers: [bad, bad, good].map((content) => fencedFile("main.py", content)) });
    expect(better.tree).toEqual({ "main.py": good });
  });

  it("keeps the version of the most passing tests", async () => {
    const share = (job: SandboxJob): Partial<SandboxResult> => {
      const isWorse = job.files.some((file) => file.content === worse);
      return { exitCode: 1, stdout: `Ran 4 tests: ${isWorse ? 1 : 3} passed, ${isWorse ? 3 : 1} failed` };
    };
    const script = { task: { tests: toFiles({ "test_main.py": "assert True\n" }) }, card: { tools: ["run_tests" as const], turns: 2 } };
    const { tree } = await run({ ...script, answers: [fencedFile("main.py", bad), fencedFile("main.py", worse)] }, share);
    expect(tree).toEqual({ "main.py": bad });
  });

  it("gives the input back when no new version runs but the input does", async () => {
    const inputs = [["artifact", filesArtifact({ "main.py": good })]] as const;
    const { tree } = await run({ answers: [fencedFile("main.py", bad), fencedFile("main.py", worse)], inputs, card: { turns: 2 } });
    expect(tree).toEqual({ "main.py": good });
  });

  it("gives the input back at once when a change breaks tests that it passed", async () => {
    const inputs = [["artifact", filesArtifact({ "main.py": good })]] as const;
    const answers = [fencedFile("main.py", bad), fencedFile("main.py", good)];
    const tests = toFiles({ "test_main.py": "assert True\n" });
    const { tree, context } = await run({ answers, inputs, task: { tests }, card: { tools: ["run_program", "run_tests"] } });
    expect(tree).toEqual({ "main.py": good });
    expect(context.requests).toHaveLength(1);
  });

  it("runs nothing when the card has no tools", async () => {
    const { sandbox, tree } = await run({ answers: [fencedFile("main.py", bad)], card: { tools: [] } });
    expect(sandbox.jobs).toEqual([]);
    expect(tree).toEqual({ "main.py": bad });
  });

  it("asks for another program when a fix is unusable, and keeps the best version", async () => {
    const { tree, context } = await run({ answers: [fencedFile("main.py", bad), "I don't know.", "Nor now."], card: { turns: 3 } });
    expect(tree).toEqual({ "main.py": bad });
    expect(lastPrompt(context.requests[2])).toContain("Create it anew");
    expect(context.requests).toHaveLength(3);
  });

  it("tells one who writes it anew the case that failed, not what the program before printed", async () => {
    const output = `FAILED: test_main.T.test_a
Called: python main.py 3
Exit code: 0
Standard output: 'pear'
Wrong: run("3").stdout is 'pear', but must be 'fig'

FAILED: test_main.T.test_b
Wrong: f(1) is 1, but must be 2

Ran 2 tests: 0 passed, 2 failed`;
    const failing = (): Partial<SandboxResult> => ({ exitCode: 1, stdout: output });
    const script = { task: { tests: toFiles({ "test_main.py": "assert True\n" }) }, card: { tools: ["run_tests" as const], turns: 3 } };
    const { context } = await run({ ...script, answers: Array(3).fill(fencedFile("main.py", bad)) as string[] }, failing);
    expect(lastPrompt(context.requests[2])).toContain(
      `An earlier program did this wrong:\nCalled: python main.py 3\nWrong: run("3").stdout is 'pear', but must be 'fig'\n\n`,
    );
  });
});

describe("ToolLoop and the task's tests", () => {
  const tests = toFiles({ "test_main.py": "import main\n" });

  it("lays them beside the program, lets nobody change them and keeps them out of the product", async () => {
    const answer = `${fencedFile("main.py", good)}\n${fencedFile("test_main.py", "print('no tests')")}`;
    const { tree, sandbox, context } = await run({ answers: [answer], task: { tests }, card: { tools: ["run_tests"] } }, () => ({}));
    expect(tree).toEqual({ "main.py": good });
    expect(sandbox.jobs[0]?.files).toContainEqual(tests[0]);
    expect(context.reports[0]).toMatchObject({ ok: false, output: expect.stringContaining("can't be changed") as string });
  });

  it("runs tests that the agents wrote when the task has none", async () => {
    const answer = `${fencedFile("main.py", good)}\n${fencedFile("test_main.py", "import main, unittest")}`;
    const { sandbox, tree } = await run({ answers: [answer], card: { tools: ["run_tests"] } }, () => ({}));
    expect(sandbox.jobs[0]?.command.args.slice(1)).toEqual(["tests", "test_main.py"]);
    expect(Object.keys(tree)).toEqual(["main.py", "test_main.py"]);
  });

  it("keeps files given with the task in the product", async () => {
    const { tree } = await run({ answers: [fencedFile("main.py", good)], task: { files: toFiles({ "data.csv": "1\n" }) } });
    expect(tree).toEqual({ "data.csv": "1\n", "main.py": good });
  });
});

describe("ToolLoop with tool calls", () => {
  const card = { tools: ["write_file", "read_file", "run_program"] as ("write_file" | "read_file" | "run_program")[] };
  const model = { tools: "native" } as const;
  const call = (name: string, value: unknown, id = "c1") => ({
    finish: "tools" as const,
    toolCalls: [{ id, name, arguments: typeof value === "string" ? value : JSON.stringify(value) }],
  });
  const toolAnswer = (request: ChatRequest | undefined) => request?.messages.findLast((message) => message.role === "tool")?.content;

  it("carries them out and answers each", async () => {
    const answers = [call("write_file", { path: "main.py", content: good }), call("read_file", { path: "main.py" }), "Done."];
    const { tree, context } = await run({ answers, card, model });
    expect(tree).toEqual({ "main.py": good });
    expect(context.requests[0]?.tools?.map((tool) => tool.name)).toEqual(card.tools);
    expect(toolAnswer(context.requests[2])).toBe(good);
    expect(context.requests[1]?.messages.at(-1)).toMatchObject({ role: "tool", toolCallId: "c1" });
    expect(context.reports.map((report) => report.tool)).toEqual(["write_file", "read_file", "run_program"]);
  });

  it("takes the workspace as it is when the last turn still calls tools, and offers none on that turn", async () => {
    const { tree, context } = await run({
      answers: [call("write_file", { path: "main.py", content: good })],
      card: { ...card, turns: 1 },
      model,
    });
    expect(tree).toEqual({ "main.py": good });
    expect(context.requests[0]?.tools).toBeUndefined();
  });

  it.each([
    ["a path that escapes", "write_file", { path: "../x.py", content: "" }, "refused"],
    ["an absolute path", "write_file", { path: "/etc/passwd", content: "" }, "refused"],
    ["a folder as a file", "write_file", { path: "main.py/x.py", content: "" }, "can't be a folder"],
    ["a missing file", "read_file", { path: "nothing.py" }, "There is no such file"],
    ["a path out of the workspace", "read_file", { path: "/etc/passwd" }, "There is no such file"],
    ["a tool that the card lacks", "run_tests", {}, "There is no tool"],
    ["an unknown tool", "delete_everything", {}, "There is no tool"],
    ["arguments that are no JSON", "write_file", "path main.py", "not understood"],
    ["missing arguments", "write_file", { path: "x.py" }, "not understood"],
  ])("answers %s with what is wrong", async (_name, tool, given, expected) => {
    const { context, tree } = await run({
      answers: [call("write_file", { path: "main.py", content: good }), call(tool, given), "Done."],
      card,
      model,
    });
    expect(toolAnswer(context.requests[2])).toContain(expected);
    expect(tree).toEqual({ "main.py": good });
  });

  it("mends arguments that are almost JSON", async () => {
    const { tree } = await run(
      { answers: [call("write_file", "{path: 'main.py', content: 'print(1)',}"), "Done."], card, model },
      () => ({}),
    );
    expect(tree).toEqual({ "main.py": "print(1)" });
  });

  it("gives a program its arguments and input, and drops the files it writes", async () => {
    const answers = [fencedCall({ tool: "run_program", args: ["a", 1], stdin: "x" }), fencedFile("main.py", good)];
    const leaves = (job: SandboxJob) => ({ files: [...job.files, ...toFiles({ "junk.txt": "junk" })] });
    const { sandbox, tree } = await run({ answers, card }, leaves);
    expect(sandbox.jobs[0]).toMatchObject({ command: { args: ["main.py", "a", "1"] }, stdin: "x" });
    expect(tree).toEqual({ "main.py": good });
  });

  it("understands calls that a model writes into its text", async () => {
    const answers = [`${fencedFile("main.py", good)}\n${fencedCall({ tool: "read_file", path: "main.py" })}`, "Done."];
    const { tree, context } = await run({ answers, card });
    expect(tree).toEqual({ "main.py": good });
    expect(lastPrompt(context.requests[1])).toContain("Result of read_file");
  });

  it("starts the talk again when it outgrows the context", async () => {
    const long = `print('good')\n${"# a long comment\n".repeat(400)}`;
    const answers = [call("write_file", { path: "main.py", content: long }), call("read_file", { path: "main.py" }), "Done."];
    const { context } = await run({ answers, card, model: { ...model, contextTokens: 3000 } }, () => ({}));
    expect(context.requests[2]?.messages).toHaveLength(2);
    expect(lastPrompt(context.requests[2])).toContain("characters left out");
  });
});

function fencedCall(value: unknown): string {
  return `\`\`\`tool\n${JSON.stringify(value)}\n\`\`\``;
}
