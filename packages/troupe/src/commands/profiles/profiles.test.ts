import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { type FakeWorld, type FakeWorldOptions, fakeWorld } from "../../../test/fake-world.ts";
import { interruption } from "../../interruption.ts";

const worlds: FakeWorld[] = [];
afterEach(() => {
  for (const world of worlds.splice(0)) world.remove();
});

function newWorld(script: FakeWorldOptions["script"] = []): FakeWorld {
  const world = fakeWorld({ script });
  worlds.push(world);
  return world;
}

const trades = ["baker", "sailor", "farmer", "tailor", "hunter", "weaver", "miner"];
const personOf = (trade: string) => `You are a ${trade} who lost a ${trade}hood to haste: "measure twice" is on your ${trade}wall.`;
const answerOf = (...of: string[]) => of.map((trade) => `${trade}: ${personOf(trade).replaceAll('"', "'")}`).join("\n");
const first = answerOf(...trades.slice(0, 5));
const generate = ["profiles", "generate", "--out", "agents/pool.yaml"];
const poolIn = ({ folder }: FakeWorld) => readFileSync(join(folder, "agents/pool.yaml"), "utf8");

/** Writes a pool by hand into a world. */
function write(world: FakeWorld, text: string): void {
  mkdirSync(join(world.folder, "agents"), { recursive: true });
  writeFileSync(join(world.folder, "agents/pool.yaml"), text);
}

describe("troupe profiles generate", () => {
  it("fills a new pool in batches, says how far it is, and leaves a file that can be checked and listed", async () => {
    const world = newWorld([first, answerOf("baker", "weaver")]);
    const { exit, stdout, stderr } = await world.call([...generate, "--count", "6", "--about", "people with a trade"]);
    expect([exit, stdout]).toEqual([0, "agents/pool.yaml\n"]);
    expect(stderr).toMatch(/^5 of 6 profiles, about \S+ s left\n6 of 6 profiles \(1 named again\)\n$/);
    expect(poolIn(world)).toMatch(/^pool: 1\nname: pool\ndescription: "people with a trade"\nprofiles:\n {2}- name: baker\n/);
    expect(existsSync(join(world.folder, "agents/pool.yaml.part"))).toBe(false);
    expect((await world.call(["check", "agents/pool.yaml"])).stdout).toBe("✓ agents/pool.yaml: profiles\n  pool: 6 profiles\n");
    const listed = await world.call(["profiles", "list", "agents/pool.yaml"]);
    expect(listed.stdout).toMatch(/^pool, 6 profiles: people with a trade\n\nbaker\n {2}You are a baker .*\n\nsailor\n/);
    const lines = (await world.call(["profiles", "list", "agents/pool.yaml", "--json"])).stdout.trimEnd().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as { name: string }).name)).toEqual([...trades.slice(0, 5), "weaver"]);
  });

  it("goes on with a pool that is there, in its form, without its description being said again", async () => {
    const world = newWorld((request) => {
      expect(request.messages[1]?.content).toMatch(/Invent 1 person: old hands\n[\s\S]*these people: ada\./);
      return answerOf("miner");
    });
    const text = "# mine\npool: 1\nname: own\ndescription: old hands\nprofiles:\n- name: ada # first\n  text: You count.";
    write(world, text);
    expect(await world.call([...generate, "--count", "2"])).toMatchObject({ exit: 0 });
    expect(poolIn(world)).toBe(`${text}\n- name: miner\n  text: ${JSON.stringify(personOf("miner").replaceAll('"', "'"))}\n`);
  });

  it("keeps what came before Ctrl-C, and the same call goes on from there", async () => {
    const world = newWorld((_request, call) => {
      if (call === 1) context.controller.abort(interruption("Ctrl-C"));
      return call === 0 ? first : answerOf("weaver", "miner");
    });
    const context = world.context();
    const words = [...generate, "--count", "7", "--about", "people"];
    const stopped = await world.call(words, context);
    expect(stopped.exit).toBe(130);
    expect(stopped.stderr).toContain("What is done is in agents/pool.yaml; the same call goes on from there.");
    expect((await world.call(words)).exit).toBe(0);
    expect(poolIn(world).match(/- name: (\w+)/g)).toHaveLength(7);
  });

  it("asks no model when the pool has so many, and when it can't know what they are for", async () => {
    const world = newWorld();
    write(world, "pool: 1\nname: own\nprofiles:\n  - { name: ada, text: You count. }\n");
    expect(await world.call([...generate, "--count", "1", "--about", "x"])).toMatchObject({
      exit: 0,
      stderr: "agents/pool.yaml has 1 profile already.\n",
    });
    expect((await world.call([...generate, "--count", "2"])).stderr).toMatch(/Say with --about .*\[call_invalid\]/);
  });

  it("ends with 1 when the model has nobody new any more, with what it had kept", async () => {
    const world = newWorld(() => answerOf("baker"));
    const { exit, stderr } = await world.call([...generate, "--count", "3", "--about", "people"]);
    expect(exit).toBe(1);
    expect(stderr).toContain("The model names nobody new any more: agents/pool.yaml has 1 of 3.");
    expect(poolIn(world)).toContain("name: baker");
  });

  it.each([
    ["pool: 1\nname: own\nprofiles: [{ name: ada, text: You count. }]\n", /`profiles` must be the last part of the file/],
    ["pool: 1\nprofiles:\n  - name: ada\n    text: You count.\nname: own\n", /`profiles` must be the last part of the file/],
    ["pool: 1\nname: own\nprofiles: []\n", /pool.yaml:3:11: error: profiles is an empty list/],
    ["pool: 2\n", /pool.yaml:1:7: error: pool is 2/],
  ])("refuses %j before it asks, and leaves it as it is", async (text, why) => {
    const world = newWorld();
    write(world, text);
    const { exit, stderr } = await world.call([...generate, "--count", "9", "--about", "x"]);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(why)]);
    expect(poolIn(world)).toBe(text);
  });

  it("does not write over what somebody else wrote meanwhile", async () => {
    const theirs = "pool: 1\nname: theirs\nprofiles:\n  - { name: eve, text: You wait. }\n";
    const world = newWorld(() => {
      write(world, theirs);
      return first;
    });
    const { exit, stderr } = await world.call([...generate, "--count", "9", "--about", "x"]);
    expect([exit, stderr]).toEqual([2, expect.stringMatching(/Somebody else has changed \S*pool\.yaml meanwhile\./)]);
    expect(poolIn(world)).toBe(theirs);
  });
});

it("troupe profiles list says that a pool is not there", async () => {
  const { exit, stderr } = await newWorld().call(["profiles", "list", "no.yaml"]);
  expect([exit, stderr]).toEqual([2, expect.stringMatching(/There is no file \S*no\.yaml\. Check the path\. \[file_missing\]/)]);
});
