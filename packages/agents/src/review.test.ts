import type { Artifact, SandboxJob, SandboxResult } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { fakeSandbox, fencedFile, filesArtifact, type Script, scriptedContext, toFiles, treeOf } from "../test/scripted-context.ts";
import { createAgentRunner } from "./create-agent-runner.ts";

const good = "print('good')\n";
const other = "print('other')\n";
const task = { prompt: "Print one line with the word good.", tests: toFiles({ "test_main.py": "assert True\n" }) };
const ran = (passed: number): Partial<SandboxResult> => ({
  exitCode: passed === 2 ? 0 : 1,
  stdout: `Ran 2 tests: ${passed} passed, ${2 - passed} failed`,
});
const passing = () => ran(2);
const failing = () => ran(1);

async function run(script: Script, program: (job: SandboxJob) => Partial<SandboxResult>): Promise<{ artifact: Artifact; asked: string[] }> {
  const card = { tools: ["run_tests" as const], ...script.card };
  const inputs = [["artifact", filesArtifact({ "main.py": good })] as const, ...(script.inputs ?? [])];
  const context = scriptedContext({ ...script, task, card, inputs });
  const artifact = await createAgentRunner({ sandbox: fakeSandbox(program) })(context);
  return { artifact, asked: context.requests.map((request) => request.messages.at(-1)?.content ?? "") };
}

describe("a critic", () => {
  const card = { kind: "critic" as const };
  const grounded = 'REVISE "Print one line with the word good": it prints two lines.';

  it("has a program that passes all tests revised for words of the task", async () => {
    const { artifact, asked } = await run({ card, answers: [grounded] }, passing);
    expect(artifact).toMatchObject({ value: { verdict: "revise", critique: expect.stringContaining("it prints two lines") as string } });
    expect(asked[0]).toContain("quote the sentence of the task");
  });

  it("does not have it revised for a defect that no word of the task speaks of, and keeps what it said", async () => {
    const { artifact } = await run({ card, answers: ["REVISE: It does not handle empty input."] }, passing);
    const critique = expect.stringMatching(/^All tests pass.*Not taken: It does not handle empty input\.$/) as string;
    expect(artifact).toMatchObject({ value: { verdict: "accept", critique } });
  });

  it("is believed without a quotation where tests fail", async () => {
    const { artifact, asked } = await run({ card, answers: ["REVISE: It does not handle empty input."] }, failing);
    expect(artifact).toMatchObject({ value: { verdict: "revise" } });
    expect(asked[0]).not.toContain("quote the sentence");
  });
});

describe("an actor with a review", () => {
  const inputs = [["critique", { kind: "json", value: { verdict: "revise", critique: "Print less." } }] as const] as const;

  it("may refuse it for a program that passes all tests", async () => {
    const { artifact, asked } = await run({ inputs, answers: ["NO CHANGE", "never asked"] }, passing);
    expect(treeOf(artifact)).toEqual({ "main.py": good });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toContain("the review may be wrong");
  });

  it("may not where tests fail", async () => {
    const { artifact, asked } = await run({ inputs, answers: ["NO CHANGE", fencedFile("main.py", other)], card: { turns: 2 } }, failing);
    expect(treeOf(artifact)).toEqual({ "main.py": other });
    expect(asked[0]).not.toContain("may be wrong");
    expect(asked[1]).toContain("a change is asked for");
  });
});
