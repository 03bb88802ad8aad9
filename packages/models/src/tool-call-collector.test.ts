import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createToolCallCollector, type ToolCallDelta } from "./tool-call-collector.ts";

function collect(...deltas: ToolCallDelta[]) {
  const collector = createToolCallCollector();
  for (const delta of deltas) collector.push(delta);
  return collector.end();
}

describe("createToolCallCollector()", () => {
  it.each<[string, ToolCallDelta[], object[]]>([
    [
      "an id that comes only first",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "" } },
        { index: 0, function: { arguments: '{"x"' } },
        { index: 0, id: "", function: { arguments: ":1}" } },
      ],
      [{ id: "a", name: "f", arguments: '{"x":1}' }],
    ],
    [
      "an id and name that come with every fragment",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "{" } },
        { index: 0, id: "a", function: { name: "f", arguments: "}" } },
      ],
      [{ id: "a", name: "f", arguments: "{}" }],
    ],
    [
      "two calls at one index, told apart by id",
      [
        { index: 0, id: "a", function: { name: "f", arguments: "1" } },
        { index: 0, id: "b", function: { name: "f", arguments: "2" } },
        { index: 0, function: { arguments: "3" } },
      ],
      [
        { id: "a", arguments: "1" },
        { id: "b", arguments: "23" },
      ],
    ],
    [
      "two calls at one index, told apart by name",
      [
        { index: 0, function: { name: "f", arguments: "1" } },
        { index: 0, function: { name: "g", arguments: "2" } },
      ],
      [
        { id: "call_0", name: "f" },
        { id: "call_1", name: "g" },
      ],
    ],
    [
      "no index",
      [{ id: "a", function: { name: "f", arguments: "1" } }, { function: { arguments: "2" } }, { id: "b", function: { name: "f" } }],
      [
        { id: "a", arguments: "12" },
        { id: "b", arguments: "{}" },
      ],
    ],
    ["null and missing arguments", [{ index: 0, id: "a", function: { name: "f", arguments: null } }], [{ arguments: "{}" }]],
    [
      "arguments that are an object already",
      [{ index: 0, id: "a", function: { name: "f", arguments: { x: 1 } } }],
      [{ arguments: '{"x":1}' }],
    ],
    ["broken arguments, which stay as they are", [{ index: 0, id: "a", function: { name: "f", arguments: "{x" } }], [{ arguments: "{x" }]],
    ["a call without a name, which is none", [{ index: 0, id: "a", function: null }], []],
    [
      "the same id twice",
      [
        { index: 0, id: "a", function: { name: "f" } },
        { index: 1, id: "a", function: { name: "g" } },
      ],
      [{ id: "a" }, { id: "call_1" }],
    ],
  ])("knows %s", (_, deltas, calls) => {
    const collected = collect(...deltas);
    expect(collected).toHaveLength(calls.length);
    expect(collected).toMatchObject(calls);
  });

  it("puts interleaved calls together, however they are cut", () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.string({ minLength: 1 })), { maxLength: 4 }), (calls) => {
        const deltas = calls.map((_, index): ToolCallDelta => ({ index, id: `id${index}`, function: { name: `f${index}` } }));
        const longest = Math.max(0, ...calls.map((fragments) => fragments.length));
        for (let at = 0; at < longest; at++) {
          for (const [index, fragments] of calls.entries()) {
            if (fragments[at] !== undefined) deltas.push({ index, function: { arguments: fragments[at] } });
          }
        }
        expect(collect(...deltas)).toEqual(
          calls.map((fragments, index) => ({ id: `id${index}`, name: `f${index}`, arguments: fragments.join("") || "{}" })),
        );
      }),
    );
  });
});
