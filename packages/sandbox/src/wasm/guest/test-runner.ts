import { inspect } from "./util.ts";

type Body = (context: unknown) => unknown;

interface Suite {
  readonly name: string;
  readonly before: Body[];
  readonly after: Body[];
  readonly beforeEach: Body[];
  readonly afterEach: Body[];
}

const emptySuite = (name: string): Suite => ({ name, before: [], after: [], beforeEach: [], afterEach: [] });
const root = emptySuite("");
let open: readonly Suite[] = [root];
let queue: Promise<void> = Promise.resolve();

/** What the tests of `node:test` came to; the boot code asks for it at the end. */
export const tally = { passed: 0, failed: 0, print: (_line: string): void => undefined };

/** Resolves when every test that was declared has run. */
export async function settle(): Promise<void> {
  for (let last: unknown; last !== queue; ) {
    last = queue;
    await queue;
  }
}

export function test(...given: unknown[]): Promise<void> {
  const { name, body, skip } = parse(given);
  const suites = open;
  if (!skip) queue = queue.then(() => runTest(name, body, suites));
  return queue;
}

export function describe(...given: unknown[]): void {
  const { name, body, skip } = parse(given);
  if (skip) return;
  const suite = emptySuite(name);
  const outer = open;
  open = [...outer, suite];
  queue = queue.then(async () => {
    for (const each of suite.before) await each({});
  });
  body({});
  open = outer;
  queue = queue.then(async () => {
    for (const each of suite.after) await each({});
  });
}

export const it = Object.assign(test, { skip: () => undefined, todo: () => undefined });
export const suite = (...given: unknown[]): void => describe(...given);
export const before = (body: Body): number => current().before.push(body);
export const after = (body: Body): number => current().after.push(body);
export const beforeEach = (body: Body): number => current().beforeEach.push(body);
export const afterEach = (body: Body): number => current().afterEach.push(body);

function current(): Suite {
  return open.at(-1) ?? root;
}

async function runTest(name: string, body: Body, suites: readonly Suite[]): Promise<void> {
  const title = [...suites.map((each) => each.name).filter(Boolean), name].join(" > ");
  try {
    for (const each of suites.flatMap((one) => one.beforeEach)) await each({});
    await body({ name, test, diagnostic: () => undefined });
    for (const each of suites.flatMap((one) => one.afterEach)) await each({});
    tally.passed += 1;
    tally.print(`ok - ${title}`);
  } catch (error) {
    tally.failed += 1;
    tally.print(`not ok - ${title}\n${inspect(error)}`);
  }
}

function parse(given: readonly unknown[]): { name: string; body: Body; skip: boolean } {
  const name = given.find((each) => typeof each === "string") ?? "test";
  const body = given.find((each): each is Body => typeof each === "function");
  const options = given.find((each) => typeof each === "object" && each !== null);
  const skip = options !== undefined && Boolean(Reflect.get(options, "skip"));
  return { name, body: body ?? (() => undefined), skip: skip || body === undefined };
}
