import type { ActivationContext, Artifact, Clock, Human, HumanQuestion, WaitQuestion } from "@troupe/schema";
import { expect, it } from "vitest";
import { scriptedContext } from "../test/scripted-context.ts";
import { createWaitRunner } from "./create-wait-runner.ts";

/** A clock whose sleepers wake only when told, and which knows how long each wanted to sleep. */
function handClock(): Clock & { readonly sleeps: number[]; wake(): void } {
  const sleeps: number[] = [];
  let wakeNext = (): void => undefined;
  return {
    sleeps,
    wake: () => wakeNext(),
    now: () => 0,
    sleep: (milliseconds, signal) =>
      new Promise((resolve, reject) => {
        sleeps.push(milliseconds);
        const stop = (): void => reject(signal.reason);
        signal.addEventListener("abort", stop, { once: true });
        wakeNext = () => {
          signal.removeEventListener("abort", stop);
          resolve();
        };
      }),
  };
}

/** A person who answers from a list, and then no more. */
function person(...answers: string[]): Human & { readonly asked: HumanQuestion[] } {
  const asked: HumanQuestion[] = [];
  return {
    asked,
    ask: (question) => {
      asked.push(question);
      const answer = answers.shift();
      return answer === undefined ? new Promise(() => undefined) : Promise.resolve(answer);
    },
  };
}

function contextOf(wait: WaitQuestion | undefined, more: { signal?: AbortSignal; inputs?: [string, Artifact][] } = {}): ActivationContext {
  const context = scriptedContext({ answers: [], ...more });
  return { ...context, activation: { ...context.activation, kind: "wait", label: "review", ...(wait && { wait }) } };
}

function answer(human: Human | undefined, wait: WaitQuestion | undefined, clock: Clock = handClock()): Promise<Artifact> {
  return createWaitRunner({ run: "r1", human, clock })(contextOf(wait));
}

const options = ["Take it", "Change it", "3"];

it.each([
  ["take it", "Take it"],
  ["  TAKE IT \n", "Take it"],
  ["2", "Change it"],
  ["2.", "Change it"],
  ["3", "3"],
])("createWaitRunner() takes %j for an option", async (said, choice) => {
  expect(await answer(person(said), { ask: "Well?", options })).toEqual({ kind: "choice", choice });
});

it("createWaitRunner() gives a text when there are no options", async () => {
  expect(await answer(person(" Do it \n"), { ask: "Well?" })).toEqual({ kind: "text", text: "Do it" });
});

it("createWaitRunner() asks again, saying what it could not take, and gives up after the third time", async () => {
  const human = person("4", "0", "take", "change it");
  expect(await answer(human, { ask: "Well?", options })).toEqual({ kind: "choice", choice: "Change it" });
  expect(human.asked.map(({ refused }) => refused)).toEqual([undefined, "4", "0", "take"]);
  await expect(answer(person("", " ", "", "x\ny"), { ask: "Well?", options })).rejects.toMatchObject({
    code: "human_unclear",
    retryable: false,
    message: expect.stringMatching(/^Activation 7 \(review\) was answered 4 times.*"Take it", .*last with "x\\ny".*troupe resume r1/),
  });
  await expect(answer(person("", "", "", ""), { ask: "Well?" })).rejects.toMatchObject({ code: "human_unclear" });
});

it("createWaitRunner() shows the inputs other than the task", async () => {
  const human = person("yes");
  const artifact: Artifact = { kind: "text", text: "a draft" };
  await createWaitRunner({ run: "r1", human, clock: handClock() })(contextOf({ ask: "Good?" }, { inputs: [["artifact", artifact]] }));
  expect(human.asked).toMatchObject([{ run: "r1", ask: "Good?", shown: [artifact], activation: { id: 7 }, task: { id: "t" } }]);
});

it("createWaitRunner() says what to do when nobody can be asked", async () => {
  await expect(answer(undefined, { ask: "Good?", options })).rejects.toMatchObject({
    code: "human_missing",
    retryable: false,
    message: expect.stringMatching(
      /"Good\?" \(Take it \/ Change it \/ 3\)\. Nobody .* `troupe resume r1`, .* `troupe resume r1 --answer TEXT`/,
    ),
  });
});

it.each([
  [
    { options, otherwise: "change IT" },
    { kind: "choice", choice: "Change it", reason: "Nobody answered in time." },
  ],
  [
    { options, otherwise: "none" },
    { kind: "choice", choice: "none", reason: "Nobody answered in time." },
  ],
  [{ otherwise: "" }, { kind: "text", text: "" }],
])("createWaitRunner() answers with %j when the time is over", async (wait, artifact) => {
  const clock = handClock();
  const answered = answer(person(""), { ask: "Good?", seconds: 5, ...wait }, clock);
  clock.wake();
  expect(await answered).toEqual(artifact);
  expect(clock.sleeps).toEqual([5000]);
});

it("createWaitRunner() stops asking when the time is over, also in the middle of an answer", async () => {
  const clock = handClock();
  let signal: AbortSignal | undefined;
  const human: Human = {
    ask: (_, until) => {
      signal = until;
      return new Promise(() => undefined);
    },
  };
  const answered = answer(human, { ask: "Good?", seconds: 1e9 }, clock);
  answered.catch(() => undefined);
  await Promise.resolve();
  // Longer than a timer of Node can be: it sleeps again.
  expect(clock.sleeps).toEqual([2 ** 31 - 1]);
  expect(signal?.aborted).toBe(false);
  for (let i = 0; i < 500; i++) {
    clock.wake();
    await Promise.resolve();
  }
  await expect(answered).rejects.toMatchObject({ code: "human_silent", retryable: false });
  expect(clock.sleeps.reduce((sum, one) => sum + one)).toBe(1e12);
  expect(signal?.aborted).toBe(true);
});

it("createWaitRunner() stops with its signal's reason, whatever the person's port does", async () => {
  const controller = new AbortController();
  const human = person();
  const answered = createWaitRunner({ run: "r1", human, clock: handClock() })(
    contextOf({ ask: "Good?", seconds: 5 }, { signal: controller.signal }),
  );
  const reason = new Error("Ctrl-C");
  controller.abort(reason);
  await expect(answered).rejects.toBe(reason);
  await expect(
    createWaitRunner({ run: "r1", human, clock: handClock() })(contextOf({ ask: "?" }, { signal: controller.signal })),
  ).rejects.toBe(reason);
  expect(human.asked).toHaveLength(1);
});

it("createWaitRunner() refuses an activation that says not what is asked", async () => {
  await expect(answer(person(), undefined)).rejects.toMatchObject({ code: "internal" });
});
