import { type Artifact, isTroupeError } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { fakeSandbox, fencedFile, filesArtifact, type Script, scriptedContext, treeOf } from "../test/scripted-context.ts";
import { createAgentRunner } from "./create-agent-runner.ts";

const good = "def main():\n    print(3)\n\n\nmain()\n";
const other = "def main():\n    print(4)\n\n\nmain()\n";
const text = (value: string): Artifact => ({ kind: "text", text: value });
const verdict = (said: string, critique: string): Artifact => ({ kind: "json", value: { verdict: said, critique } });

async function run(script: Script, sandbox = fakeSandbox()) {
  const context = scriptedContext(script);
  const artifact = await createAgentRunner({ sandbox })(context);
  const prompts = context.requests.map((request) => request.messages.map((message) => message.content).join("\n"));
  return { artifact, context, prompts, sandbox };
}

async function failure(script: Script, sandbox = fakeSandbox()) {
  const context = scriptedContext(script);
  const thrown: unknown = await createAgentRunner({ sandbox })(context).then(
    () => undefined,
    (error: unknown) => error,
  );
  if (!isTroupeError(thrown)) throw new Error(`no TroupeError: ${String(thrown)}`);
  return { error: thrown, context };
}

describe("createAgentRunner() as an actor", () => {
  it("creates from the task alone", async () => {
    const { artifact, prompts, context } = await run({ answers: [fencedFile("main.py", good)] });
    expect(treeOf(artifact)).toEqual({ "main.py": good });
    expect(prompts[0]).toContain("Add two numbers.");
    expect(prompts[0]).toContain("Create it");
    expect(context.requests[0]).toMatchObject({ model: "default", temperature: 0.2, maxTokens: 2048 });
  });

  it("develops an artifact further and keeps files that the answer leaves out", async () => {
    const inputs = [["artifact", filesArtifact({ "data.csv": "a,b\n", "main.py": good })]] as const;
    const { artifact, prompts } = await run({ answers: [fencedFile("main.py", other)], inputs });
    expect(treeOf(artifact)).toEqual({ "data.csv": "a,b\n", "main.py": other });
    expect(prompts[0]).toContain("print(3)");
    expect(prompts[0]).toContain("NO CHANGE");
    expect(prompts[0]).not.toContain("## Review");
  });

  it("revises by a critique", async () => {
    const inputs = [
      ["artifact", filesArtifact({ "main.py": good })],
      ["critique", verdict("revise", "Print 4.")],
    ] as const;
    const { artifact, prompts } = await run({ answers: [fencedFile("main.py", other)], inputs });
    expect(treeOf(artifact)).toEqual({ "main.py": other });
    expect(prompts[0]).toContain("## Review\nPrint 4.");
  });

  it("develops by the instruction that a critic gave for the version before, if it asked for something", async () => {
    const asked = async (said: string) => {
      const inputs = [
        ["artifact", filesArtifact({ "main.py": good })],
        ["instruction", verdict(said, "Print 4.")],
      ] as const;
      return (await run({ answers: ["NO CHANGE"], inputs })).prompts[0];
    };
    expect(await asked("revise")).toMatch(
      /## Review of the version before this one\nPrint 4\.[\s\S]*See to it that what the review asks for is done/,
    );
    expect(await asked("accept")).not.toMatch(/Print 4|the review/);
  });

  it("asks once more when a revision changes nothing", async () => {
    const inputs = [
      ["artifact", filesArtifact({ "main.py": good })],
      ["critique", verdict("revise", "Print 4.")],
    ] as const;
    const { artifact, prompts } = await run({ answers: [fencedFile("main.py", good), fencedFile("main.py", other)], inputs });
    expect(treeOf(artifact)).toEqual({ "main.py": other });
    expect(prompts[1]).toContain("it changes nothing");
    const stubborn = await run({ answers: ["NO CHANGE", "NO CHANGE"], inputs });
    expect(treeOf(stubborn.artifact)).toEqual({ "main.py": good });
  });

  it("does not show a critique that asks for nothing", async () => {
    const inputs = [
      ["artifact", filesArtifact({ "main.py": good })],
      ["critique", verdict("accept", "All is fine.")],
    ] as const;
    const { artifact, prompts } = await run({ answers: ["NO CHANGE"], inputs });
    expect(treeOf(artifact)).toEqual({ "main.py": good });
    expect(prompts[0]).not.toContain("All is fine.");
  });

  it("changes the product of an earlier run as a new task asks", async () => {
    const inputs = [["previous", filesArtifact({ "main.py": good })]] as const;
    const { artifact, prompts } = await run({ answers: [fencedFile("main.py", other)], inputs });
    expect(treeOf(artifact)).toEqual({ "main.py": other });
    expect(prompts[0]).toContain("The task asks to change the program above");
  });

  it("takes a text artifact and other inputs as context of files", async () => {
    const inputs = [
      ["artifact", text("1. Write add.")],
      ["design_notes", text("Keep it small.")],
    ] as const;
    const { prompts } = await run({ answers: [fencedFile("main.py", good)], inputs });
    expect(prompts[0]).toContain("## Notes\n1. Write add.");
    expect(prompts[0]).toContain("## Design notes\nKeep it small.");
    expect(prompts[0]).toContain("Create it");
  });

  it("follows a critic's instruction also when what crossed the edge is no tree", async () => {
    const inputs = [
      ["artifact", text("1. Write add.")],
      ["instruction", verdict("revise", "Say what add returns.")],
    ] as const;
    for (const output of ["files", "text"] as const) {
      const { prompts } = await run({ answers: [fencedFile("main.py", good)], inputs, card: { output } });
      expect(prompts[0]).toMatch(
        /## Notes\n1\. Write add\.[\s\S]*Say what add returns\.[\s\S]*See to it that what the review asks for is done/,
      );
    }
  });

  it("takes a value of its own kind further, and one of another kind as context", async () => {
    const task = { output: "choice", choices: ["red", "green"] } as const;
    const asked = async (artifact: Artifact) =>
      (await run({ answers: ["Answer: B"], task: { ...task, choices: [...task.choices] }, inputs: [["artifact", artifact]] })).prompts[0];
    expect(await asked({ kind: "choice", choice: "red" })).toMatch(/## The answer so far\nA\) red[\s\S]*then choose/);
    expect(await asked(text("Think of grass."))).not.toContain("so far");
  });

  it("shows an earlier product to whoever begins, whatever both make", async () => {
    const card = { output: "text" } as const;
    const program = await run({ answers: ["1. Add."], card, inputs: [["previous", filesArtifact({ "main.py": good })]] });
    expect(program.prompts[0]).toMatch(/## The program so far[\s\S]*print\(3\)[\s\S]*The task asks to change/);
    const plan = await run({ answers: [fencedFile("main.py", good)], inputs: [["previous", text("1. Print 3.")]] });
    expect(plan.prompts[0]).toContain("## Earlier product\n1. Print 3.");
  });

  it("writes text when its card says so", async () => {
    const { artifact, prompts } = await run({ answers: ["```text\n1. Add.\n```"], card: { output: "text" } });
    expect(artifact).toEqual(text("1. Add."));
    expect(prompts[0]).not.toContain("code block");
  });

  it("answers a choice question with the option's own words", async () => {
    const task = { output: "choice", choices: ["red", "green"] } as const;
    const { artifact, prompts } = await run({ answers: ["I think so.\nAnswer: B"], task: { ...task, choices: [...task.choices] } });
    expect(artifact).toEqual({ kind: "choice", choice: "green", reason: "I think so." });
    expect(prompts[0]).toContain("A) red\nB) green");
  });

  it("answers JSON that needs repair", async () => {
    const { artifact } = await run({ answers: ["Here:\n```json\n{'a': [1, 2,],}\n```"], card: { output: "json" } });
    expect(artifact).toEqual({ kind: "json", value: { a: [1, 2] } });
  });

  it("uses the temperature of the card before the activation's, and the card's tokens within half the context", async () => {
    const first = await run({ answers: [fencedFile("main.py", good)], temperature: 0.9, model: { contextTokens: 4096 } });
    expect(first.context.requests[0]).toMatchObject({ temperature: 0.9, maxTokens: 1024 });
    const card = { temperature: 0.1, maxTokens: 5000 };
    const second = await run({ answers: [fencedFile("main.py", good)], temperature: 0.9, card });
    expect(second.context.requests[0]).toMatchObject({ temperature: 0.1, maxTokens: 4096 });
  });
});

describe("createAgentRunner() when an answer can't be used", () => {
  it.each([
    ["nothing", "", "it was empty"],
    ["only prose", "I would write a program that adds.", "it holds no file"],
    ["a path that escapes", fencedFile("../main.py", good), "was refused"],
    ["a diff", "```diff\n--- a\n+++ b\n-1\n+2\n```", "diff"],
    ["no entry", fencedFile("notes.txt", "add"), "it holds no file main.py"],
  ])("asks once more and says why: %s", async (_name, answer, why) => {
    const { artifact, prompts } = await run({ answers: [answer, fencedFile("main.py", good)] });
    expect(treeOf(artifact)["main.py"]).toBe(good);
    expect(prompts).toHaveLength(2);
    expect(prompts[1]).toContain(why);
  });

  it.each([
    ["nothing", "", ""],
    ["only prose", "I can't.", "I really can't."],
    ["the same for ever", "la la la", "la la la"],
  ])("throws answer_unusable after one re-ask: %s", async (_name, first, second) => {
    const { error, context } = await failure({ answers: [first, second, "never asked"] });
    expect(error).toMatchObject({ code: "answer_unusable", retryable: false, details: { agent: "maker", answer: second } });
    expect(context.requests).toHaveLength(2);
  });

  it("does not ask more often than the card's turns allow", async () => {
    const { context } = await failure({ answers: ["", fencedFile("main.py", good)], card: { turns: 1 } });
    expect(context.requests).toHaveLength(1);
  });

  it("asks for a shorter answer when the first was cut off, and takes the piece only when nothing better comes", async () => {
    const cut = { text: "main.py\n```python\nimport sys\nprint(1", finish: "length" } as const;
    const better = await run({ answers: [cut, fencedFile("main.py", good)] });
    expect(better.prompts[1]).toContain("shorter");
    expect(treeOf(better.artifact)).toEqual({ "main.py": good });
    const worse = await run({ answers: [cut, "Sorry."] });
    expect(treeOf(worse.artifact)).toEqual({ "main.py": "import sys\nprint(1\n" });
  });

  it("hands an artifact on unchanged when the model only talks about it, and reports that", async () => {
    const inputs = [["artifact", filesArtifact({ "main.py": good })]] as const;
    const { artifact, context } = await run({ answers: ["It prints three.", "As I said, three."], inputs });
    expect(treeOf(artifact)).toEqual({ "main.py": good });
    expect(context.reports.at(-1)).toMatchObject({ ok: false, output: expect.stringContaining("Handed on unchanged") as string });
  });

  it("says so when the activation has no agent", async () => {
    const context = { ...scriptedContext({ answers: [] }), card: undefined };
    await expect(createAgentRunner({ sandbox: fakeSandbox() })(context)).rejects.toMatchObject({ code: "internal" });
  });

  it("passes on an abort", async () => {
    const signal = AbortSignal.abort(new Error("stopped"));
    await expect(createAgentRunner({ sandbox: fakeSandbox() })(scriptedContext({ answers: ["x"], signal }))).rejects.toThrow("stopped");
  });
});

describe("createAgentRunner() as a critic", () => {
  const card = { kind: "critic" } as const;
  const inputs = [["artifact", filesArtifact({ "main.py": good })]] as const;

  it("gives a verdict and a critique", async () => {
    const { artifact, prompts } = await run({ answers: ["REVISE: main prints 3, not the sum."], card, inputs });
    expect(artifact).toEqual(verdict("revise", "main prints 3, not the sum."));
    expect(prompts[0]).toContain("print(3)");
  });

  it("accepts", async () => {
    expect((await run({ answers: ["ACCEPT"], card, inputs })).artifact).toEqual(verdict("accept", ""));
  });

  it("never accepts what fails when it is run, and shows the failure to the model", async () => {
    const sandbox = fakeSandbox(() => ({ exitCode: 1, stderr: "Traceback (most recent call last):\nNameError: x" }));
    const { artifact, prompts } = await run({ answers: ["ACCEPT"], card: { ...card, tools: ["run_program"] }, inputs }, sandbox);
    expect(artifact).toMatchObject({ value: { verdict: "revise", critique: expect.stringContaining("NameError: x") as string } });
    expect(prompts[0]).toContain("NameError: x");
  });

  it("asks once more for an answer that is empty or names no defect", async () => {
    const { artifact, context } = await run({ answers: ["", "REVISE: add."], card, inputs });
    expect(artifact).toEqual(verdict("revise", "add."));
    expect(context.requests).toHaveLength(2);
    const silent = await run({ answers: ["REVISE", "REVISE"], card, inputs });
    expect(silent.artifact).toEqual(verdict("accept", "No defect was named."));
    expect((await failure({ answers: ["", ""], card, inputs })).error.code).toBe("answer_unusable");
  });

  it("is shown a text that it judges once", async () => {
    const { prompts } = await run({ answers: ["ACCEPT"], card, inputs: [["artifact", text("1. Write add.")]] });
    expect(prompts[0]?.split("1. Write add.")).toHaveLength(2);
  });

  it("can't work without an artifact", async () => {
    expect((await failure({ answers: ["ACCEPT"], card })).error.code).toBe("internal");
  });
});

describe("createAgentRunner() as an aggregator", () => {
  const card = { kind: "aggregator" } as const;
  const candidates = (...trees: Record<string, string>[]) => trees.map((tree) => ["candidate", filesArtifact(tree)] as const);

  it("compares the candidates and gives one merged artifact", async () => {
    const inputs = candidates({ "main.py": good }, { "extra.py": "x = 1\n", "main.py": other });
    const { artifact, prompts } = await run({ answers: [fencedFile("main.py", "print(5)")], card, inputs });
    expect(treeOf(artifact)).toEqual({ "main.py": "print(5)\n" });
    expect(prompts[0]).toContain("## Version 2");
    expect(prompts[0]).toContain("print(4)");
  });

  it("needs no call for one candidate or equal ones", async () => {
    for (const inputs of [candidates({ "main.py": good }), candidates({ "main.py": good }, { "main.py": good })]) {
      expect(treeOf((await run({ answers: [], card, inputs })).artifact)).toEqual({ "main.py": good });
    }
  });

  it("starts from the candidate that runs best, and gives it back when the merged one fails", async () => {
    const sandbox = fakeSandbox(({ files }) => {
      const runs = files.some((file) => file.content === good);
      return runs ? {} : { exitCode: 1, stderr: "Traceback (most recent call last):\nNameError" };
    });
    const script = { answers: Array(4).fill(fencedFile("main.py", "broken(")), card: { ...card, tools: ["run_program"] as const } };
    const inputs = candidates({ "main.py": other }, { "main.py": good });
    const { artifact, prompts } = await run({ ...script, card: { ...script.card, tools: ["run_program"] }, inputs }, sandbox);
    expect(prompts[0]).toMatch(/Version 1 \(it runs\)[\s\S]*print\(3\)[\s\S]*Version 2 \(it fails/);
    expect(treeOf(artifact)).toEqual({ "main.py": good });
  });

  it("merges texts into a text", async () => {
    const inputs = [
      ["candidate", text("Plan A")],
      ["candidate", text("Plan B")],
    ] as const;
    const { artifact, prompts } = await run({ answers: ["Plan C"], card, inputs });
    expect(artifact).toEqual(text("Plan C"));
    expect(prompts[0]).toContain("Plan B");
  });

  it("can't work without candidates", async () => {
    expect((await failure({ answers: ["x"], card })).error.code).toBe("internal");
  });
});
