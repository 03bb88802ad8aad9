import nodeAssert from "node:assert";
import { posix } from "node:path";
import nodeUtil from "node:util";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as assert from "./assert.ts";
import { EventEmitter } from "./events.ts";
import * as path from "./path.ts";
import * as util from "./util.ts";

const part = fc.constantFrom("a", "b.txt", "..", ".", "", "c.d.e", ".hidden");
const anyPath = fc
  .tuple(fc.boolean(), fc.array(part, { maxLength: 6 }))
  .map(([absolute, parts]) => (absolute ? "/" : "") + parts.join("/"));

describe("the guest's path", () => {
  it("says what Node's says", () => {
    fc.assert(
      fc.property(anyPath, anyPath, (one, other) => {
        expect(path.normalize(one)).toBe(posix.normalize(one).replace(/(.)\/$/, "$1"));
        expect(path.join(one, other)).toBe(posix.join(one, other).replace(/(.)\/$/, "$1"));
        expect(path.resolve("/w", one)).toBe(posix.resolve("/w", one));
        expect(path.relative(`/w/${one}`, `/w/${other}`)).toBe(posix.relative(`/w/${one}`, `/w/${other}`));
        expect(path.isAbsolute(one)).toBe(posix.isAbsolute(one));
      }),
    );
  });

  it.each(["/a/b.txt", "a/b.tar.gz", "/a", "a", "/", "a/", ".hidden", "a/.hidden", "a.b/c"])("takes %j apart as Node does", (each) => {
    expect([path.dirname(each), path.basename(each), path.extname(each)]).toEqual([
      posix.dirname(each),
      posix.basename(each),
      posix.extname(each),
    ]);
  });
});

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: "small" },
    fc.integer(),
    fc.string({ maxLength: 4 }),
    fc.boolean(),
    fc.constant(null),
    fc.constant(undefined),
    fc.constant(Number.NaN),
    tie("list"),
    tie("record"),
  ),
  list: fc.array(tie("any"), { maxLength: 3 }),
  record: fc.dictionary(fc.constantFrom("a", "b"), tie("any"), { maxKeys: 2, noNullPrototype: true }),
})).any;

describe("the guest's assert and util", () => {
  it("find equal what Node finds equal", () => {
    fc.assert(
      fc.property(value, value, (one, other) => {
        expect(util.isDeepStrictEqual(one, other)).toBe(nodeUtil.isDeepStrictEqual(one, other));
        expect(util.isDeepStrictEqual(one, structuredClone(one))).toBe(true);
        expect(throws(() => assert.deepStrictEqual(one, other))).toBe(throws(() => nodeAssert.deepStrictEqual(one, other)));
        expect(throws(() => assert.strictEqual(one, other))).toBe(throws(() => nodeAssert.strictEqual(one, other)));
      }),
    );
  });

  it.each([
    [[new Map([["a", 1]]), new Map([["a", 1]])], true],
    [[new Set([1, 2]), new Set([2, 1])], true],
    [[new Set([1, 2]), new Set([2, 3])], false],
    [[new Date(1), new Date(2)], false],
    [[/a/g, /a/i], false],
    [[new Error("a"), new Error("b")], false],
    [[[1], { 0: 1 }], false],
  ])("compare pair %#", ([one, other], equal) => {
    expect(util.isDeepStrictEqual(one, other)).toBe(equal);
  });

  it.each([
    [1],
    ["a"],
    [[1, "b", [2]]],
    [{ a: 1, "b-c": "d" }],
    [null],
    [undefined],
    [-0],
    [10n],
    [[]],
    [{}],
    [new Map([["a", 1]])],
    [new Set([1])],
    [() => 1],
    [class A {}],
  ])("show value %# as Node does", (shown) => {
    expect(util.inspect(shown)).toBe(nodeUtil.inspect(shown));
  });

  it("format as Node does", () => {
    expect(util.format("%s is %d%% of %j", "a", 42, { b: 1 }, "rest")).toBe(nodeUtil.format("%s is %d%% of %j", "a", 42, { b: 1 }, "rest"));
  });

  it("judge what is thrown", async () => {
    const fail = () => {
      throw new TypeError("bad thing");
    };
    for (const expected of [
      undefined,
      TypeError,
      /bad/,
      { message: "bad thing" },
      { name: /Type/ },
      (error: Error) => error.message === "bad thing",
    ]) {
      expect(throws(() => assert.throws(fail, expected))).toBe(false);
    }
    for (const expected of [RangeError, /good/, { message: "other" }]) expect(throws(() => assert.throws(fail, expected))).toBe(true);
    expect(throws(() => assert.throws(() => 1))).toBe(true);
    await expect(assert.rejects(Promise.resolve(1))).rejects.toThrow("Missing expected exception");
    await assert.rejects(async () => fail(), TypeError);
  });
});

describe("the guest's EventEmitter", () => {
  it("calls listeners, once or always, and throws an error that nobody hears", () => {
    const emitter = new EventEmitter();
    const heard: unknown[] = [];
    emitter.on("a", (word) => heard.push(word)).once("a", (word) => heard.push(`once ${String(word)}`));
    expect([emitter.emit("a", 1), emitter.emit("a", 2), emitter.emit("b")]).toEqual([true, true, false]);
    expect(heard).toEqual([1, "once 1", 2]);
    expect(() => emitter.emit("error", new Error("unheard"))).toThrow("unheard");
  });
});

function throws(call: () => unknown): boolean {
  try {
    call();
    return false;
  } catch {
    return true;
  }
}
