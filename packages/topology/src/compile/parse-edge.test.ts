import fc from "fast-check";
import { expect, it } from "vitest";
import { parseEdge } from "./parse-edge.ts";

function groups(text: string): string[][] | string {
  const parsed = parseEdge(text);
  return "groups" in parsed ? parsed.groups.map((names) => names.map(({ id }) => id)) : `${parsed.fault.offset} ${parsed.fault.message}`;
}

it.each([
  ["a -> b", [["a"], ["b"]]],
  ["a->b->c", [["a"], ["b"], ["c"]]],
  ["a -> [b, c] -> d", [["a"], ["b", "c"], ["d"]]],
  ["[a, b] -> c", [["a", "b"], ["c"]]],
  ["a, b -> c", [["a", "b"], ["c"]]],
  ["1-4 -> 5", [["1", "2", "3", "4"], ["5"]]],
  ["1->2", [["1"], ["2"]]],
  ["[1-2, 7] -> 9-9", [["1", "2", "7"], ["9"]]],
  ["  a.b_c  ->  D1 ", [["a.b_c"], ["D1"]]],
])("parseEdge() reads %s", (text, expected) => {
  expect(groups(text)).toEqual(expected);
});

it.each([
  ["", "0 the edge ends where a node's name was expected"],
  ["a", "0 the edge ends where `->` was expected"],
  ["a ->", "3 the edge ends where a node's name was expected"],
  ["a -> -> b", "5 there is `->` where a node's name was expected"],
  ["a b", "2 there is `b` where `->` was expected"],
  ["a -> b c", "7 there is `c` where `->` or the end was expected"],
  ["a --> b", "2 there is `-` where `->` was expected"],
  ["a → b", "2 there is `→` where `->` was expected"],
  ["a -> [b, c", "9 the edge ends where `,` or `]` was expected"],
  ["a -> []", "6 there is `]` where a node's name was expected"],
  ["a, -> b", "3 there is `->` where a node's name was expected"],
  ["4-1 -> 5", "0 the range 4-1 runs backwards"],
  ["1-999999999 -> 5", "0 the range 1-999999999 has more than 100000 nodes"],
  ["1-90000, 1-90000 -> 5", "9 more than 100000 nodes in one group"],
])("parseEdge() says what is wrong with `%s`", (text, fault) => {
  expect(groups(text)).toBe(fault);
});

it("parseEdge() knows where each name stands", () => {
  const parsed = parseEdge("plan -> [code, 1-2]");
  const places = "groups" in parsed ? parsed.groups.flat() : [];
  expect(places).toEqual([
    { id: "plan", offset: 0, length: 4 },
    { id: "code", offset: 9, length: 4 },
    { id: "1", offset: 15, length: 3 },
    { id: "2", offset: 15, length: 3 },
  ]);
});

it("parseEdge() never throws and points into the text", () => {
  const words = fc.array(fc.constantFrom("a", "12", "1-3", "->", "[", "]", ",", "-", ">", " ", "é", "\n"), { maxLength: 12 });
  fc.assert(
    fc.property(words, (parts) => {
      const text = parts.join("");
      const parsed = parseEdge(text);
      if ("fault" in parsed) expect(parsed.fault.offset).toBeLessThanOrEqual(text.length);
      else expect(parsed.groups.length).toBeGreaterThan(1);
    }),
  );
});

it("parseEdge() reads back what is written from groups", () => {
  const group = fc.array(fc.stringMatching(/^[a-z][a-z0-9_.]{0,5}$/), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(fc.array(group, { minLength: 2, maxLength: 4 }), fc.boolean(), (wanted, isBracketed) => {
      const text = wanted.map((names) => (isBracketed ? `[${names.join(",")}]` : names.join(", "))).join(" -> ");
      expect(groups(text)).toEqual(wanted);
    }),
  );
});
