import { describe, expect, it } from "vitest";
import { toGrammarSchema } from "./grammar-schema.ts";

describe("toGrammarSchema()", () => {
  it("keeps what grammars express and drops what only narrows", () => {
    const schema = {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        score: { type: "integer", minimum: 0, maximum: 10 },
        words: { type: "array", items: { anyOf: [{ type: "string", pattern: "^a" }, { type: "null" }] } },
        format: { enum: ["a", "b"] },
      },
      required: ["score"],
      additionalProperties: false,
    };
    expect(toGrammarSchema(schema)).toEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: {
        score: { type: "integer" },
        words: { type: "array", items: { oneOf: [{ type: "string" }, { type: "null" }] } },
        format: { enum: ["a", "b"] },
      },
      required: ["score"],
      additionalProperties: false,
    });
  });

  it.each([
    [{ type: "object", properties: { a: { not: {} } } }, /"not"/],
    [{ allOf: [] }, /"allOf"/],
    [{ $ref: "https://example.org/x" }, /reference/],
  ])("refuses %j", (schema, message) => {
    expect(() => toGrammarSchema(schema)).toThrow(
      expect.objectContaining({ code: "model_refused", message: expect.stringMatching(message) }),
    );
  });
});
