import { setImmediate } from "node:timers/promises";
import { type Activation, type Artifact, type HumanQuestion, publicTask } from "@troupe/schema";
import { expect, it } from "vitest";
import { fakeContext, fakeInput, fakeStream } from "../../test/fake-context.ts";
import { filesOf } from "../../test/sample-run.ts";
import { noColors } from "./colors.ts";
import { TerminalHuman, terminalHuman } from "./terminal-human.ts";

const activation: Activation = { id: 3, kind: "wait", label: "re\x1b[31mview", inputs: [], after: [], scope: "", priority: 0, meta: {} };

function questionOf(more: Partial<HumanQuestion> = {}): HumanQuestion {
  return { run: "r1", activation, ask: "Is it\x1b[2J good?", shown: [], task: publicTask.parse({ id: "t", prompt: "Do it" }), ...more };
}

function terminal() {
  const stdin = fakeInput(true);
  const stderr = fakeStream(true);
  return { stdin, stderr, human: new TerminalHuman({ stdin, stderr, colors: noColors }), signal: new AbortController().signal };
}

it("TerminalHuman shows what the question is about, shortened and harmless, and takes a line", async () => {
  const { stdin, stderr, human, signal } = terminal();
  const long: Artifact = { kind: "text", text: Array.from({ length: 30 }, (_, i) => `line ${i}`).join("\n") };
  const question = questionOf({
    shown: [filesOf({ "main.py": `print("${"x".repeat(200)}")\n` }), long],
    options: ["Take it", "Change it"],
  });
  const answer = human.ask(question, signal);
  stdin.write("2\nmore\n");
  expect(await answer).toBe("2");
  const lines = stderr.text().split("\n");
  expect(lines.slice(0, 5)).toEqual([
    "",
    "? #3 review asks you",
    "── main.py",
    expect.stringMatching(/^print\("x+…$/),
    expect.stringMatching(/^── /),
  ]);
  expect(stderr.text()).not.toContain("line 11");
  const more = "… 19 more lines: troupe show r1 --transcript, in another terminal";
  expect(lines.slice(-5)).toEqual([more, "Is it good?", "  1  Take it", "  2  Change it", "> "]);
  expect(Math.max(...lines.slice(0, -5).map((line) => line.length))).toBeLessThan(80);
});

it("TerminalHuman asks one question at a time, and again with why", async () => {
  const { stdin, stderr, human, signal } = terminal();
  const first = human.ask(questionOf({ ask: "One?" }), signal);
  const second = human.ask(questionOf({ ask: "Two?", options: ["a", "b"], refused: "c\nd" }), signal);
  await setImmediate();
  expect(stderr.text()).not.toContain("c d");
  stdin.write("yes\n");
  expect(await first).toBe("yes");
  await setImmediate();
  expect(stderr.text()).toMatch(/"c d" is none of the options\.\n {2}1 {2}a\n {2}2 {2}b\n> $/);
  stdin.write("b\n");
  expect(await second).toBe("b");
});

it("TerminalHuman keeps others from writing while it asks, also when it is stopped", async () => {
  const { stdin, human } = terminal();
  const log: string[] = [];
  human.pauses(() => {
    log.push("pause");
    return () => log.push("resume");
  });
  const controller = new AbortController();
  const reason = new Error("too late");
  const stopped = human.ask(questionOf(), controller.signal);
  await setImmediate();
  expect(log).toEqual(["pause"]);
  controller.abort(reason);
  await expect(stopped).rejects.toBe(reason);
  expect(log).toEqual(["pause", "resume"]);
  const next = human.ask(questionOf(), new AbortController().signal);
  await setImmediate();
  stdin.end();
  await expect(next).rejects.toMatchObject({ code: "human_missing" });
  expect(log).toEqual(["pause", "resume", "pause", "resume"]);
});

it("terminalHuman() is nobody unless a person can read and write", () => {
  expect(terminalHuman(fakeContext({ terminal: true }))).toBeInstanceOf(TerminalHuman);
  const piped = fakeContext({ terminal: true });
  expect(terminalHuman({ process: { ...piped.process, stdin: fakeInput() } })).toBeUndefined();
  expect(terminalHuman({ process: { ...piped.process, stderr: fakeStream() } })).toBeUndefined();
});
