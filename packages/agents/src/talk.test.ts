import type { Artifact } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { fakeSandbox, fencedFile, filesArtifact, type Script, scriptedContext } from "../test/scripted-context.ts";
import { createAgentRunner } from "./create-agent-runner.ts";

const text = (value: string): Artifact => ({ kind: "text", text: value });
const tree = filesArtifact({ "main.py": "print(3)\n" });
const other = filesArtifact({ "main.py": "print(4)\n" });

/** The system prompt and the first question of every call that an agent makes. */
async function askedOf(script: Script) {
  const context = scriptedContext(script);
  await createAgentRunner({ sandbox: fakeSandbox() })(context);
  return context.requests.map(({ messages }) => ({ system: messages[0]?.content, question: messages[1]?.content }));
}

describe("Talk with a profile", () => {
  it.each<[string, Script]>([
    ["an actor", { answers: [fencedFile("main.py", "print(1)")], card: { kind: "actor" } }],
    ["a critic", { answers: ["ACCEPT"], card: { kind: "critic" }, inputs: [["artifact", tree]] }],
    [
      "an aggregator",
      {
        answers: [fencedFile("main.py", "print(1)")],
        card: { kind: "aggregator" },
        inputs: [
          ["candidate", tree],
          ["candidate", other],
        ],
      },
    ],
  ])("tells %s who it is before how it works, and nowhere else", async (_name, script) => {
    const inputs = [["profile", text("You count every cent.\n")] as const, ...(script.inputs ?? [])];
    const [asked] = await askedOf({ ...script, inputs });
    expect(asked?.system).toBe("You count every cent.\n\nMake it.");
    expect(asked?.question).not.toMatch(/cent|profile/i);
    const [plain] = await askedOf(script);
    expect(plain).toEqual({ system: "Make it.", question: asked?.question });
  });

  it("says it again in every call of the activation", async () => {
    const asked = await askedOf({ answers: ["", fencedFile("main.py", "print(1)")], inputs: [["profile", text("You doubt.")]] });
    expect(asked.map(({ system }) => system)).toEqual(["You doubt.\n\nMake it.", "You doubt.\n\nMake it."]);
  });

  it("counts it when it makes room for the rest of the prompt", async () => {
    const model = { contextTokens: 2048 };
    const inputs = [
      ["profile", text("You weigh. ".repeat(150))],
      ["notes", text("n ".repeat(6000))],
    ] as const;
    const [asked] = await askedOf({ answers: ["done"], card: { output: "text" }, inputs, model });
    expect(((asked?.system ?? "").length + (asked?.question ?? "").length) / 3.6).toBeLessThan(1024);
    expect(asked?.question).toContain("characters left out");
  });

  it("does without one that is empty", async () => {
    const [asked] = await askedOf({ answers: [fencedFile("main.py", "print(1)")], inputs: [["profile", text(" \n")]] });
    expect(asked?.system).toBe("Make it.");
  });
});
