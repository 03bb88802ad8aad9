import { agentCard, formatProblem, projectFile, topologyFile } from "@troupe/schema";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { z } from "zod";
import { readYaml } from "./read-yaml.ts";

function read(text: string | Uint8Array, schema: z.ZodType = topologyFile) {
  return readYaml(schema, { path: "x.yaml", text });
}

/** Messages with their places, as `line:column message`. */
function said(text: string | Uint8Array, schema?: z.ZodType): string[] {
  return read(text, schema).problems.map(({ line, column, message }) => `${line}:${column} ${message}`);
}

it("readYaml() gives the checked value with defaults, and where it stands", () => {
  const { value, problems, locate } = readYaml(topologyFile, { path: "x.yaml", text: "troupe: 1\nname: x\nedges:\n  - a -> b\n" });
  expect(problems).toEqual([]);
  expect(value).toMatchObject({ name: "x", director: "graph", defaults: { rounds: 1 } });
  expect(locate(["edges", 0])).toEqual({ line: 4, column: 5 });
  expect(locate(["edges", 7, "from"])).toEqual({ line: 3, column: 1 });
});

it("readYaml() refuses an empty file", () => {
  expect(said("")).toEqual(["1:1 the file is empty"]);
  expect(said(" \n\n")).toEqual(["1:1 the file is empty"]);
  expect(said("# only a comment\n")).toEqual(["1:1 the file is empty: it holds no value"]);
});

it("readYaml() refuses binary files", () => {
  expect(said("troupe: 1\0")).toEqual(["1:1 the file is binary, not text"]);
  expect(said(Uint8Array.of(0x7f, 0x45, 0x4c, 0x46, 0xff, 0xfe))).toEqual(["1:1 the file is binary, not text"]);
});

it("readYaml() refuses files of more than 1 MB", () => {
  expect(said("a: 1\n".repeat(2_000_000))).toEqual(["1:1 the file is too big to be read"]);
  expect(said(new Uint8Array(1_000_001).fill(0x20))).toEqual(["1:1 the file is too big to be read"]);
});

it("readYaml() reports duplicate keys together with other problems", () => {
  expect(said("troupe: 1\nname: x\nname: Y\nlimits: { calls: 1, calls: 2 }\n")).toEqual([
    '3:1 the key "name" stands twice in the same mapping',
    '3:7 name is "Y"',
    '4:21 the key "calls" stands twice in the same mapping',
  ]);
});

it("readYaml() names a tab as what it is, but allows it in text", () => {
  expect(said("troupe: 1\nname: x\nlimits:\n\ttokens: 3\n")).toEqual(["4:1 a tab is used for indentation"]);
  const card = 'agent: 1\nname: a\nkind: actor\ninstructions: |\n  Makefile:\n  \tcc main.c\nmodel: "a\tb"\n';
  expect(readYaml(agentCard, { path: "a.yaml", text: card }).value?.instructions).toBe("Makefile:\n\tcc main.c\n");
});

it.each([
  ["rouns: 1", 'unknown key "rouns"', '"rounds" belongs under "defaults"'],
  ["direktor: graph", 'unknown key "direktor"', 'did you mean "director"?'],
  ["defaults: { crtiic: x }", 'unknown key "crtiic" in defaults', 'did you mean "critic"?'],
  ["limits: { name: x }", 'unknown key "name" in limits', '"name" belongs at the top of the file'],
  ["__proto__: 1", 'unknown key "__proto__"', undefined],
  ["constructor: 1", 'unknown key "constructor"', undefined],
])("readYaml() helps with the unknown key in `%s`", (line, message, hint) => {
  const [problem, ...rest] = read(`troupe: 1\nname: x\n${line}\n`).problems;
  expect(rest).toEqual([]);
  expect(problem).toMatchObject({ line: 3, message });
  expect(problem?.hint).toBe(hint);
});

it.each([
  ["name: [x]", "name is a list"],
  ["name:", "name is nothing"],
  ["name: Big Name", 'name is "Big Name"'],
  ["name: x\ndirector: grpah", 'director is "grpah"'],
  ["name: x\nshape: chain", 'shape is "chain"'],
  ["name: x\nshape: { size: 3 }", '"kind" is missing in shape'],
  ["name: x\nshape: { kind: chian, size: 3 }", 'shape.kind is "chian"'],
  ["name: x\nshape: { kind: chain, size: 0 }", "shape.size is 0"],
  ["name: x\nshape: { kind: chain, size: -3 }", "shape.size is -3"],
  ["name: x\nshape: { kind: chain, size: 1e9 }", "shape.size is 1000000000"],
  ["name: x\nshape: { kind: chain, size: 2.5 }", "shape.size is 2.5"],
  ["name: x\nshape: { kind: mesh, size: 5001 }", "shape.size is 5001"],
  ["name: x\nshape: { kind: mesh, size: 1e9 }", "shape.size is 1000000000"],
  ["name: x\nedges: [7]", "edges[0] is 7"],
  ["name: x\nedges: [{ from: a }]", '"to" is missing in edges[0]'],
  ["name: x\nedges: [{ from: a, to: -1 }]", "edges[0].to is -1"],
  ["name: x\nagents: []", "agents is an empty list"],
  ["name: x\ndefaults: { temperature: warm }", 'defaults.temperature is "warm"'],
  ["name: x\ndefaults: { temperature: { from: 1 } }", '"to" is missing in defaults.temperature'],
])("readYaml() says what is wrong with `%s`", (lines, message) => {
  expect(read(`troupe: 1\n${lines}\n`).problems.map((problem) => problem.message)).toEqual([message]);
});

it("readYaml() tells what a union wants, in the member that was meant", () => {
  const models = [
    "models:",
    "  a: { endpoints: [nowhere], modle: m }",
    "  b: 5",
    "  c: {}",
    "  d: { embedded: x, threads: many }",
    "  E e: { embedded: x }",
  ];
  expect(said(models.join("\n"), projectFile)).toEqual([
    '2:3 "model" is missing in models.a',
    '2:20 models.a.endpoints[0] is "nowhere"',
    '2:30 unknown key "modle" in models.a',
    "3:6 models.b is 5",
    "4:6 models.c is an empty mapping",
    '5:30 models.d.threads is "many"',
    '6:3 "E e" can\'t be a name here',
  ]);
  const [, , typo, whole] = read(models.join("\n"), projectFile).problems;
  expect(typo?.hint).toBe('did you mean "model"?');
  expect(whole?.expected).toBe('a mapping with "endpoints", "model", or a mapping with "embedded" (How a model is served)');
});

it("readYaml() reports all problems of a file in its order", () => {
  const text = "troupe: 2\nshape: { kind: tree, size: 0, branches: 2 }\nlimits: [1]\n";
  expect(said(text)).toEqual([
    '1:1 "name" is missing',
    "1:9 troupe is 2",
    "2:28 shape.size is 0",
    '2:31 unknown key "branches" in shape',
    "3:9 limits is a list",
  ]);
});

it("readYaml() shows the place with a caret, what was expected and a hint", () => {
  const [problem] = read("troupe: 1\nname: x\ndirector: grpah\n").problems;
  expect(problem && formatProblem(problem)).toMatchInlineSnapshot(`
    "x.yaml:3:11: error: director is "grpah"
       3 | director: grpah
         |           ^^^^^
      expected: one of "graph", "fixed" (Who decides which agents act: a graph, or a fixed list)
      hint: did you mean "graph"?"
  `);
});

it.each([
  ["troupe: 1\n---\nname: x\n", "2:1 the file holds more than one document"],
  ["- a\n- b\n", "1:1 the file is a list"],
  ["hello", '1:1 the file is "hello"'],
  ["troupe: 1\nname: !!js/function x\n", "2:7 YAML tags mean nothing here"],
  ["troupe: 1\n? [a]\n: x\n", "2:3 a list or mapping is used as a key"],
  ["troupe: 1\nedges:\n  - [a, b] -> c\n", "3:12 YAML takes the bracket at the beginning for a list of its own"],
  ['troupe: 1\nname: "x\n', '3:1 not valid YAML: missing closing "quote'],
])("readYaml() refuses %j", (text, first) => {
  expect(said(text)[0]).toBe(first);
});

it("readYaml() refuses anchor bombs, circles and unknown aliases without expanding them", () => {
  const levels = Array.from(
    { length: 30 },
    (_, i) =>
      `l${i}: &a${i} [${
        i === 0
          ? "x"
          : Array(9)
              .fill(`*a${i - 1}`)
              .join(", ")
      }]`,
  );
  expect(said(levels.join("\n"))).toEqual(["5:25 the aliases of this file expand to too many values"]);
  expect(said("troupe: 1\nname: &a [*a]\n")).toEqual(["2:11 the alias *a stands inside what it names"]);
  expect(said("troupe: 1\nname: *b\n")).toEqual(["2:7 the alias *b names no anchor"]);
});

it("readYaml() follows aliases that stay within bounds, also to place a problem", () => {
  const text = "troupe: 1\nname: x\nnodes:\n  - &first { id: a, model: [m] }\n  - *first\n";
  expect(said(text)).toEqual(["4:28 nodes[0].model is a list", "4:28 nodes[1].model is a list"]);
});

it.each([
  ["brackets", "[".repeat(200_000)],
  ["lists in lists", "- ".repeat(200_000)],
  ["keys in keys", "? ".repeat(200_000)],
  ["indentation", Array.from({ length: 1200 }, (_, i) => `${" ".repeat(i)}a:`).join("\n")],
])("readYaml() refuses deep nesting by %s instead of running out of stack", (_how, text) => {
  expect(read(text).problems.map(({ message }) => message)).toEqual(["the file is nested too deeply"]);
});

it("readYaml() survives what it allows at most", () => {
  const inner = "[".repeat(99) + "]".repeat(99);
  const outer = Array.from({ length: 199 }, (_, i) => `${" ".repeat(i)}a:`).join("\n");
  expect(said(`${outer} ${inner}`).at(-1)).toMatch(/unknown key "a"/);
});

it("readYaml() lets no control character or direction mark of a file reach the terminal", () => {
  const { problems } = read('troupe: 1\nname: "\u001b[31m\u202egnp\u0007"\nx\u009b: 1\n');
  const shown = problems.map(formatProblem).join("\n");
  expect(problems.length).toBeGreaterThan(0);
  expect(shown.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\u202e]/u);
});

it("readYaml() handles Windows line ends and a byte order mark", () => {
  const { problems } = read("\uFEFFtroupe: 1\r\nname: x\r\nrounds: 1\r\n");
  expect(problems).toMatchObject([{ line: 3, column: 1, excerpt: "   3 | rounds: 1\n     | ^^^^^^" }]);
});

it("readYaml() cuts long lines around the place", () => {
  const [problem] = read(
    `troupe: 1\nname: x\ndescription: ${"d".repeat(300)}\nnodes: [${"{ id: a }, ".repeat(40)}{ id: b, agnt: x }]\n`,
  ).problems;
  const [line = "", caret = ""] = problem?.excerpt.split("\n") ?? [];
  expect(line.length).toBeLessThan(120);
  expect(line.slice(caret.indexOf("^"), caret.lastIndexOf("^") + 1)).toBe("agnt");
});

it("readYaml() never throws, and every problem stands inside the file", () => {
  const parts = [
    "troupe: 1",
    "name: x",
    "shape:",
    "edges:",
    "  - ",
    "a -> b",
    "{ ",
    " }",
    "[",
    "]",
    "\n",
    ": ",
    "&a ",
    "*a",
    "!t ",
    "|",
    "'",
    '"',
    "\t",
    "#",
    "---",
    "? ",
    "é",
    "0",
    "<<",
  ];
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 25 }), (words) => {
      const text = words.join("");
      const { value, problems } = read(text);
      expect(value === undefined).toBe(problems.length > 0);
      const lines = text.split("\n");
      for (const { line, column } of problems) {
        expect(line).toBeLessThanOrEqual(lines.length);
        expect(column).toBeLessThanOrEqual((lines[line - 1]?.length ?? 0) + 1);
      }
    }),
    { numRuns: 1000 },
  );
});
