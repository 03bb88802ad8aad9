import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { estimateTokens, fitSections, shorten } from "./sections.ts";

describe("fitSections()", () => {
  it("changes nothing that fits", () =>
    expect(fitSections([{ head: "A\n", text: "b", tail: "\nc", weight: 1 }, { text: "d" }], 100)).toBe("A\nb\nc\n\nd"));

  it("shortens the least important first and says what was left out", () => {
    const fitted = fitSections(
      [{ head: "PLAN ", text: "p".repeat(5000), weight: 1 }, { head: "CODE ", text: "c".repeat(5000), weight: 6 }, { text: "the end" }],
      2000,
    );
    expect(fitted).toContain("c".repeat(5000));
    expect(fitted).toMatch(/PLAN p+\n\[… \d+ characters left out …\]\np+/);
    expect(estimateTokens(fitted)).toBeLessThanOrEqual(2000);
  });

  it("throws model_context_overflow when what must stay is too long", () => {
    expect(() => fitSections([{ text: "x".repeat(10_000) }], 100)).toThrowError(
      expect.objectContaining({ code: "model_context_overflow" }) as Error,
    );
  });

  it("fits or throws, whatever the sections", () => {
    const section = fc.record({ text: fc.string({ maxLength: 3000 }), weight: fc.integer({ min: 0, max: 6 }) });
    fc.assert(
      fc.property(fc.array(section, { maxLength: 8 }), fc.integer({ min: 200, max: 3000 }), (sections, tokens) => {
        expect(estimateTokens(fitSections(sections, tokens))).toBeLessThanOrEqual(tokens);
      }),
    );
  });
});

describe("shorten()", () => {
  it("counts exactly what is gone", () => {
    const text = "0123456789".repeat(100);
    const short = shorten(text, 300);
    const gone = Number(/(\d+) characters left out/.exec(short)?.[1]);
    expect(short.replace(/\n\[…[^\]]*\]\n/, "").length + gone).toBe(text.length);
    expect(short.length).toBeLessThanOrEqual(300);
  });
});
