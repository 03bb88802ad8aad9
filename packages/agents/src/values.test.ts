import type { Artifact } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { fakeSandbox, fencedFile, filesArtifact, type Script, scriptedContext } from "../test/scripted-context.ts";
import { createAgentRunner } from "./create-agent-runner.ts";

const question = { prompt: "Which is blue?", output: "choice" as const, choices: ["an apple", "a plum", "a pear"] };
const options = "Options:\nA) an apple\nB) a plum\nC) a pear";
const letter = "Answer: <the letter of the right option>";
const pear: Artifact = { kind: "choice", choice: "a pear", reason: "Pears are blue." };
const plum: Artifact = { kind: "choice", choice: "a plum", reason: "Plums are." };
const essay = { prompt: "Praise the sea.", output: "text" as const };
const text = (value: string): Artifact => ({ kind: "text", text: value });
const review = (critique: string): Artifact => ({ kind: "json", value: { verdict: "revise", critique } });

async function run(script: Script): Promise<{ artifact: Artifact; system: string; prompt: string; calls: number }> {
  const context = scriptedContext(script);
  const artifact = await createAgentRunner({ sandbox: fakeSandbox() })(context);
  const [system = "", prompt = ""] = context.requests[0]?.messages.map(({ content }) => content) ?? [];
  return { artifact, system, prompt, calls: context.requests.length };
}

describe("an actor with a choice", () => {
  it("sees the options once, before it works, and ends with a letter", async () => {
    const { artifact, prompt } = await run({ task: question, answers: ["Plums are.\nAnswer: B"] });
    expect(artifact).toEqual({ kind: "choice", choice: "a plum", reason: "Plums are." });
    expect(prompt.split(options)).toHaveLength(2);
    expect(prompt.endsWith(letter)).toBe(true);
  });

  it("chooses again after a review, which may be wrong", async () => {
    const inputs = [
      ["artifact", pear],
      ["critique", review("B, because plums are blue.")],
    ] as const;
    const { prompt } = await run({ task: question, inputs, answers: ["Answer: B"] });
    expect(
      prompt,
    ).toBe(`## Task\nWhich is blue?\n\n${options}\n\n## The answer so far\nC) a pear\nHow it was found:\nPears are blue.\n\n## Review\nB, because plums are blue.\n\n## Your job
The answer and the review may each be right or wrong. Work the question out yourself in a few short steps, check what the review says, and then choose. The option may stay the same.\n\nEnd with one line of this form and nothing after it:\n${letter}`);
  });

  it("does not follow the answer of the node before blindly", async () => {
    const { prompt } = await run({ task: question, inputs: [["artifact", pear]], answers: ["Answer: B"] });
    expect(prompt).toContain("The answer above may be right or wrong.");
    expect(prompt).not.toContain("notes");
  });
});

describe("a critic of a choice", () => {
  const card = { kind: "critic" as const };

  it("sees the options, works the question out first, and says which one is right", async () => {
    const answers = ["Plums are blue.\nREVISE: B, because pears are green."];
    const { artifact, prompt } = await run({ task: question, card, inputs: [["artifact", pear]], answers });
    expect(prompt).toContain(`${options}\n\n## The answer to judge\nC) a pear`);
    expect(prompt).toContain("REVISE: <the letter of the right option>, because");
    expect(prompt).not.toContain("program");
    expect(artifact).toEqual(review("B, because pears are green.\n\nPlums are blue."));
  });

  it("accepts when it comes to the same option", async () => {
    for (const answer of ["I get C.\nACCEPT", "REVISE: C, because pears are blue.", "It should be blue.\nAnswer: C"]) {
      const { artifact } = await run({ task: question, card, inputs: [["artifact", pear]], answers: [answer] });
      expect(artifact, answer).toMatchObject({ value: { verdict: "accept" } });
    }
  });
});

describe("an aggregator of choices", () => {
  const card = { kind: "aggregator" as const };
  const inputs = (...candidates: Artifact[]) => candidates.map((candidate) => ["candidate", candidate] as const);

  it("needs no call where all chose the same, whatever their reasons", async () => {
    const { artifact, calls } = await run({ task: question, card, inputs: inputs(plum, { ...plum, reason: "Seen it." }), answers: [] });
    expect([artifact, calls]).toEqual([plum, 0]);
  });

  it("chooses one and joins nothing", async () => {
    const { artifact, prompt } = await run({ task: question, card, inputs: inputs(pear, plum), answers: ["Answer: B"] });
    expect(artifact).toEqual({ kind: "choice", choice: "a plum" });
    expect(prompt).toMatch(
      /## Answer 1\nC\) a pear\nHow it was found:\nPears are blue\.\n\n## Answer 2\nB\) a plum[\s\S]*choose exactly one option/,
    );
    expect(prompt).not.toMatch(/[Vv]ersion/);
  });
});

describe("a text", () => {
  it("is written anew after a review, and taken further by the next", async () => {
    const revise = [["artifact", text("Wet.")] as const, ["critique", review("Say more.")] as const];
    const revised = await run({ task: essay, inputs: revise, answers: ["Wet and wide."] });
    expect(revised.prompt).toMatch(
      /## The text so far\nWet\.\n\n## Review\nSay more\.\n\n## Your job\nWrite the whole text anew, changed as the review says/,
    );
    const inputs = [["artifact", text("Wet.")] as const, ["instruction", review("Say more.")] as const];
    const developed = await run({ task: essay, inputs, answers: ["Wet and wide."] });
    expect(developed.prompt).toMatch(/is done\. Take the text further[\s\S]*Write the whole text\.\n\nAnswer with the text only/);
    expect(`${revised.prompt}${developed.prompt}`).not.toMatch(/[Nn]otes|program/);
  });

  it("is judged as a text", async () => {
    const { prompt } = await run({ task: essay, card: { kind: "critic" }, inputs: [["artifact", text("Wet.")]], answers: ["ACCEPT"] });
    expect(prompt).toMatch(/## The work to judge\nWet\.[\s\S]*without writing the text anew/);
    expect(prompt).not.toContain("program");
  });
});

describe("instructions of a card", () => {
  const card = { instructions: "You program.", instructionsFor: { choice: "You choose.", text: "You write." } };
  const system = async (script: Omit<Script, "card">, kind: "actor" | "critic" | "aggregator") =>
    (await run({ ...script, card: { ...card, kind } })).system;

  it("are those for the kind of artifact that is made, judged or merged", async () => {
    expect(await system({ task: question, answers: ["Answer: B"] }, "actor")).toBe("You choose.");
    expect(await system({ task: essay, answers: ["Sea."] }, "actor")).toBe("You write.");
    expect(await system({ task: { output: "json" }, answers: ["[1]"] }, "actor")).toBe("You program.");
    expect(await system({ answers: [fencedFile("main.py", "print(1)")] }, "actor")).toBe("You program.");
    expect(await system({ task: question, inputs: [["artifact", pear]], answers: ["ACCEPT"] }, "critic")).toBe("You choose.");
    expect(await system({ inputs: [["artifact", filesArtifact({ "main.py": "x" })]], answers: ["ACCEPT"] }, "critic")).toBe("You program.");
    const candidates = [["candidate", text("a")] as const, ["candidate", text("b")] as const];
    expect(await system({ task: essay, inputs: candidates, answers: ["c"] }, "aggregator")).toBe("You write.");
  });
});
