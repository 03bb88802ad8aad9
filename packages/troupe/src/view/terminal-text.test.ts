import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonLine, lastLine, oneLine, plainText } from "./terminal-text.ts";

describe("plainText()", () => {
  it.each([
    ["colours", "\x1b[31mred\x1b[0m", "red"],
    ["a title", "\x1b]0;owned\x07text", "text"],
    ["a cleared screen", "a\x1b[2J\x1b[Hb", "ab"],
    ["8-bit controls", "a\x9b31mb\x85", "ab"],
    ["a bell and a backspace", "a\x07b\x08", "ab"],
    ["turned text", "a\u202eb\u2066c", "abc"],
    ["returned carriages", "a\r\nb\rc", "a\nb\nc"],
    ["tabs", "a\tb", "a\tb"],
    ["half characters", "a\ud800b", "ab"],
  ])("takes the danger out of %s", (_name, text, plain) => expect(plainText(text)).toBe(plain));

  it("leaves nothing that a terminal obeys in any text", () => {
    const nasty = fc.string({
      unit: fc.oneof(
        fc.constantFrom("\x1b", "[", "]", "\x9b", "\x07", "3", "m", "\r", "\n", "\t"),
        fc.string({ unit: "binary", maxLength: 1 }),
      ),
    });
    fc.assert(fc.property(nasty, (text) => !/(?![\n\t])\p{Cc}/u.test(plainText(text))));
  });

  it("leaves what people write", () => expect(plainText("Grüße, 世界 👩‍💻 – ok\n")).toBe("Grüße, 世界 👩💻 – ok\n"));
});

describe("oneLine()", () => {
  it("makes one space of all white space", () => expect(oneLine("  a\n\n b\t c ")).toBe("a b c"));
});

describe("lastLine()", () => {
  it("takes the last line with something on it", () => expect(lastLine("one\ntwo  \n\n")).toBe("two"));
  it("is empty for nothing", () => expect(lastLine(" \n ")).toBe(""));
});

describe("jsonLine()", () => {
  it("is JSON of the same value, on one line, without controls", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const line = jsonLine({ text });
        expect(JSON.parse(line)).toEqual({ text });
        expect(line.slice(0, -1)).not.toMatch(/\p{Cc}|\p{Zl}/u);
      }),
    );
  });
});
