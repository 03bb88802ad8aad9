import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BoundedOutput } from "./bounded-output.ts";

describe("BoundedOutput", () => {
  it("keeps all that fits, character by character", () => {
    const output = new BoundedOutput(300);
    for (const byte of Buffer.from("grün, 漢字, 🙂")) output.push(Buffer.from([byte]));
    expect(output.text()).toBe("grün, 漢字, 🙂");
    expect(output.truncated).toBe(false);
  });

  it("keeps the beginning and the end, and says how much it left out", () => {
    const output = new BoundedOutput(300);
    output.push(Buffer.from(`first ${"x".repeat(1000)} last`));
    const text = output.text();
    expect(text).toMatch(/^first x+\n\[\.\.\. 711 bytes left out \.\.\.\]\nx+ last$/);
    expect(output.truncated).toBe(true);
  });

  it("never holds more than its bound, however the stream is cut", () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 400 }), { maxLength: 20 });
    fc.assert(
      fc.property(chunks, (parts) => {
        const output = new BoundedOutput(256);
        for (const part of parts) output.push(Buffer.from(part));
        const total = parts.reduce((sum, part) => sum + part.length, 0);
        expect(output.total).toBe(total);
        expect(output.truncated).toBe(total > 256);
        // Bytes that are not UTF-8 become a character of three bytes each.
        expect(output.text().length).toBeLessThanOrEqual(256);
      }),
    );
  });

  it("gives ASCII back within its bound in bytes", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 300 }), { maxLength: 20 }), (parts) => {
        const ascii = parts.map((part) => part.replace(/[^ -~]/g, "?"));
        const output = new BoundedOutput(256);
        for (const part of ascii) output.push(Buffer.from(part));
        const whole = ascii.join("");
        if (whole.length <= 256) expect(output.text()).toBe(whole);
        else expect(whole.endsWith(output.text().slice(-100))).toBe(true);
      }),
    );
  });
});
