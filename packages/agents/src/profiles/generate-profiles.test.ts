import { type ChatAnswer, type ChatRequest, noUsage, type Profile } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { generateProfiles, type ProfileWish } from "./generate-profiles.ts";
import { readProfiles } from "./read-profiles.ts";

const { signal } = new AbortController();

/** A model that answers from a list, then with the last answer for ever. */
function scripted(...answers: string[]) {
  const requests: ChatRequest[] = [];
  const chat = (request: ChatRequest): Promise<ChatAnswer> => {
    const text = answers[Math.min(requests.push(request), answers.length) - 1] ?? "";
    return Promise.resolve({ text, toolCalls: [], finish: "stop", usage: { ...noUsage, calls: 1 }, endpoint: "script" });
  };
  return { requests, chat };
}

async function all(wish: Partial<ProfileWish>, models: ReturnType<typeof scripted>) {
  const made: Profile[] = [];
  let repeated = 0;
  for await (const batch of generateProfiles({ about: "people", count: 5, ...wish }, { models, signal })) {
    made.push(...batch.profiles);
    repeated += batch.repeated;
  }
  return { made, repeated, names: made.map(({ name }) => name), calls: models.requests.length };
}

const trades = ["baker", "sailor", "farmer", "tailor", "hunter", "weaver", "miner"];
const lineOf = (trade: string) => `${trade}: You are a ${trade} who once lost a whole ${trade}hood to haste and now counts ${trade}things.`;

describe("generateProfiles()", () => {
  it("asks in small batches until there are enough, and never for more than are missing", async () => {
    const models = scripted(trades.slice(0, 5).map(lineOf).join("\n"), trades.slice(5).map(lineOf).join("\n"));
    expect((await all({ count: 6 }, models)).names).toEqual(trades.slice(0, 6));
    const asked = models.requests.map(({ messages }) => messages[1]?.content);
    expect(asked[0]).toMatch(/^Invent 5 different people: people\n/);
    expect(asked[1]).toMatch(/^Invent 1 person: people\n[\s\S]*quite different from these people: .*baker/);
    expect(models.requests[0]?.seed).not.toBe(models.requests[1]?.seed);
  });

  it("drops who is there already in nearly the same words, and gives another one of the same name a new name", async () => {
    const known = [{ name: "baker", text: "You are a baker who once lost a whole bakerhood to haste and now counts bakerthings!" }];
    const other = "baker: You test ovens for a magazine and weigh each claim before printing it.";
    const { made, repeated } = await all({ count: 2, known }, scripted([lineOf("baker"), other, lineOf("miner")].join("\n")));
    expect(made.map(({ name }) => name)).toEqual(["baker-2", "miner"]);
    expect(repeated).toBe(1);
  });

  it("gives up after several calls that bring nothing new, each with a seed of its own", async () => {
    const models = scripted(lineOf("baker"), `${lineOf("baker")}\nNobody else comes to mind.`);
    const { names, calls } = await all({ count: 5 }, models);
    expect([names, calls]).toEqual([["baker"], 7]);
    expect(new Set(models.requests.map(({ seed }) => seed)).size).toBe(7);
  });

  it("asks nothing when nothing is missing", async () => {
    expect(await all({ count: 0 }, scripted())).toMatchObject({ names: [], calls: 0 });
  });

  it("ends with what the model ends with", async () => {
    const models = { chat: () => Promise.reject(new Error("down")) };
    await expect(generateProfiles({ about: "x", count: 1 }, { models, signal }).next()).rejects.toThrow("down");
  });
});

describe("readProfiles()", () => {
  const text = "You are a baker who weighs twice.";
  it.each([
    [`baker: ${text}`, "baker"],
    [`1. **Old Baker**: ${text}`, "old-baker"],
    [`- \`baker-7\` – ${text}`, "baker-7"],
    [`**Élodie the baker**\n${text}`, "elodie-the-baker"],
    [`* Baker:\n  ${text}`, "baker"],
    [`3) "Baker" | ${text}`, "baker"],
  ])("reads %j", (answer, name) => expect(readProfiles(answer)).toEqual([{ name, text }]));

  it.each([
    ["a third person", "baker: She is a baker who weighs twice."],
    ["half a sentence", "baker: You are a baker who weighs"],
    ["no name", text],
    ["a name without letters", `12: ${text}`],
    ["next to nothing", "baker: You bake."],
    ["a life story", `baker: ${`${text} `.repeat(6).trim()}`],
    ["the form itself", "short-name: You are … (who the person is, what they have done)"],
    ["nothing", ""],
  ])("leaves out %s", (_name, answer) => expect(readProfiles(answer)).toEqual([]));
});
