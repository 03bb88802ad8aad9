import { join } from "node:path";
import { createMemoryStore } from "@troupe/engine";
import { createScriptedModel } from "@troupe/models";
import { runTroupe } from "@troupe/runtime";
import { type Artifact, type ChatRequest, projectFile, type Sandbox, type Task } from "@troupe/schema";
import { gradeProduct, loadTasks } from "@troupe/tasks";
import { describe, expect, it } from "vitest";
import { root } from "../support/workspace.ts";

// The same topology files, with the same cards, solve tasks of every kind; only the task says what is to be made.

const { signal } = new AbortController();

/** A sandbox in which everything ends well. */
const sandbox: Sandbox = {
  name: "fake",
  strength: "none",
  run: ({ files }) =>
    Promise.resolve({ ended: "exited", exitCode: 0, stdout: "", stderr: "", truncated: false, seconds: 0, files, sandbox: "fake" }),
};

interface Kind {
  /** A set of one task, as published. */
  readonly set: string;
  /** What actors and aggregators answer, in turn. */
  readonly answers: readonly string[];
  /** How a critic asks for a change. */
  readonly revise: string;
  /** What every actor and aggregator is asked for, and every critic, and what aggregators are asked. */
  readonly form: RegExp;
  readonly criticForm: RegExp;
  readonly mergeForm: RegExp;
  /** Words that would speak of another kind. */
  readonly never: RegExp;
  readonly isRight: (product: Artifact | undefined) => boolean;
}

const ofPrograms = /\b(program|code|python|files?|notes)\b/i;
const file = (path: string, content: string) => `${path}\n\`\`\`python\n${content}\n\`\`\``;
const holds = (path: string, text: string) => (product: Artifact | undefined) =>
  product?.kind === "files" && product.files.some((one) => one.path === path && one.content.includes(text));
const keepsForm = /Write each file whole in its own code block/;
const defectOfProgram = /REVISE: <what is wrong[\s\S]*/;

const kinds: Record<string, Kind> = {
  "a choice question": {
    set: JSON.stringify({ question: "Which is a bird?", options: ["bat", "owl", "eel", "fly"], answer: "B", category: "zoology" }),
    answers: ["It flies.\nAnswer: A", "It has feathers.\nAnswer: B", "It flies at night.\nAnswer: (A)", "Answer: B"],
    revise: "Bats have no feathers.\nREVISE: B, because birds have feathers.",
    form: /Options:\nA\) bat\nB\) owl\nC\) eel\nD\) fly[\s\S]*Answer: <the letter of the right option>$/,
    criticForm: /Options:\nA\) bat[\s\S]*## The answer to judge\n[A-D]\) [\s\S]*REVISE: <the letter of the right option>/,
    mergeForm: /## Answer 2\n[\s\S]*choose exactly one option/,
    never: ofPrograms,
    isRight: (product) => product?.kind === "choice" && ["bat", "owl"].includes(product.choice),
  },
  "a text": {
    set: JSON.stringify({ concepts: ["dog", "catch", "park"] }),
    answers: ["A dog ran.", "A dog caught a ball.", "The dogs catch balls in parks.", "In the park a dog catches a ball."],
    revise: 'REVISE: The word "park" is missing; add a sentence with it.',
    form: /Words: dog, catch, park[\s\S]*Answer with the text only/,
    criticForm: /## The work to judge\n(A|The|In)[\s\S]*without writing the text anew/,
    mergeForm: /## Version 2\n[\s\S]*joins the \d versions/,
    never: ofPrograms,
    isRight: (product) => product?.kind === "text",
  },
  "a sum": {
    set: JSON.stringify({ question: "What is 1,000,000 + 1?", answer: 1000001 }),
    answers: ["It is so.\nAnswer: 1000000", "Add one.\nAnswer: 1,000,001", "Answer: 1000001", "So:\nAnswer: 1000001"],
    revise: "REVISE: One is not added; the result is 1000001.",
    form: /Answer: N\n[\s\S]*Answer with the text only/,
    criticForm: /without writing the text anew/,
    mergeForm: /joins the \d versions/,
    never: ofPrograms,
    isRight: (product) => product?.kind === "text",
  },
  "data in JSON": {
    set: JSON.stringify({ id: "planets", prompt: "List the two planets nearest to the sun.", output: "json" }),
    answers: ['["Venus"]', '["Venus", "Mercury"]', '["Mercury", "Venus"]', '["Mercury", "Venus", "Earth"]'],
    revise: "REVISE: Mercury is missing.",
    form: /Answer with one JSON value/,
    criticForm: /without writing the JSON value anew/,
    mergeForm: /joins the \d versions/,
    never: ofPrograms,
    isRight: (product) => product?.kind === "json" && Array.isArray(product.value),
  },
  "a function": {
    set: JSON.stringify({ task_id: "x/0", prompt: "def one():\n    ...", entry_point: "one", test: "def check(candidate): pass" }),
    answers: [1, 2, 3, 4].map((n) => file("solution.py", `def one():\n    return ${n} - ${n - 1}`)),
    revise: "REVISE: It returns the wrong number.",
    form: keepsForm,
    criticForm: defectOfProgram,
    mergeForm: /## Version 2[\s\S]*Compare the \d versions/,
    never: /Answer:/,
    isRight: holds("solution.py", "def one()"),
  },
  "a software request": {
    set: 'Name,Description,Category\nNotes,"A program that keeps notes, and finds them again.",Office\n',
    answers: [1, 2, 3, 4].map((n) => file("main.py", `notes = ${n}\n\n\ndef main():\n    print(notes)\n\n\nmain()`)),
    revise: "REVISE: It finds nothing.",
    form: keepsForm,
    criticForm: defectOfProgram,
    mergeForm: /## Version 2[\s\S]*Compare the \d versions/,
    never: /Answer:/,
    isRight: holds("main.py", "def main()"),
  },
};

const promptOf = ({ messages }: ChatRequest): string => messages.map(({ content }) => content).join("\n\n");
const isCritic = (prompt: string): boolean => prompt.includes("REVISE: <");
const isMerge = (prompt: string): boolean => /^## (Version|Answer) 2/m.test(prompt);

async function solve(name: string, { set, answers, revise }: Kind) {
  const bytes = new TextEncoder().encode(set);
  const [task] = await loadTasks("one-task", { signal, readFile: () => Promise.resolve(bytes) });
  if (task === undefined) throw new Error("The set has no task.");
  let made = 0;
  let judged = 0;
  const model = createScriptedModel((request) => {
    if (isCritic(promptOf(request))) return judged++ % 2 === 0 ? revise : "ACCEPT";
    return answers[made++ % answers.length] ?? "";
  });
  const project = { root, path: undefined, file: projectFile.parse({}) };
  const ports = { project, models: model, modelNames: undefined, sandbox, store: createMemoryStore(), close: async () => undefined };
  const { outcome, artifact } = await runTroupe({ topology: join(root, "topologies", `${name}.yaml`), task, ports, seed: 1 }).result;
  expect(outcome.kind).toBe("completed");
  return { task, artifact, prompts: model.requests.map(promptOf) };
}

const gradeOf = async (task: Task, product: Artifact | undefined) =>
  product === undefined ? undefined : (await gradeProduct(task, product, { sandbox, signal })).passed;

describe.each(Object.entries(kinds))("%s", (_name, kind) => {
  it("is solved by review-chain.yaml: made, judged, refined and handed on in its own form", async () => {
    const { artifact, prompts } = await solve("review-chain", kind);
    const critics = prompts.filter(isCritic);
    const actors = prompts.filter((prompt) => !isCritic(prompt));
    expect([critics.length, actors.length]).toEqual([2, 4]);
    for (const prompt of actors) expect(prompt).toMatch(kind.form);
    for (const prompt of critics) expect(prompt).toMatch(kind.criticForm);
    for (const prompt of prompts) expect(prompt).not.toMatch(kind.never);
    expect(actors.filter((prompt) => /^## Review/m.test(prompt)).length).toBeGreaterThan(0);
    expect(kind.isRight(artifact)).toBe(true);
  });

  it("is solved by mesh.yaml, whose aggregators make one product of several", async () => {
    const { artifact, prompts } = await solve("mesh", kind);
    const merges = prompts.filter(isMerge);
    expect(merges.length).toBeGreaterThan(0);
    for (const prompt of merges) {
      expect(prompt).toMatch(kind.form);
      expect(prompt).toMatch(kind.mergeForm);
      expect(prompt).not.toMatch(kind.never);
    }
    expect(kind.isRight(artifact)).toBe(true);
  });
});

it("a product is graded by what its set says: option, number, words", async () => {
  const always = (name: string, answer: string) => solve("review-chain", { ...(kinds[name] ?? expect.fail()), answers: [answer] });
  for (const [name, right, wrong] of [
    ["a choice question", "Owls have feathers.\nAnswer: B", "Answer: D"],
    ["a sum", "Answer: 1,000,001", "Answer: 1,000,002"],
    ["a text", "Dogs catch balls in the park.", "Dogs sleep in the park."],
  ] as const) {
    for (const answer of [right, wrong]) {
      const { task, artifact } = await always(name, answer);
      expect([name, await gradeOf(task, artifact)]).toEqual([name, answer === right]);
    }
  }
});
