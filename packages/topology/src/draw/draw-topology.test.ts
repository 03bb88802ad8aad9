import { expect, it } from "vitest";
import { cards, defaults, graphOf } from "../../test/fixtures.ts";
import { bundleTopology } from "../load/bundle-topology.ts";
import { drawTopology } from "./draw-topology.ts";

const software = graphOf({
  nodes: [{ id: "plan" }, { id: "code" }, { id: "test", agent: "tester" }],
  edges: ["plan -> code -> test", { from: "plan", to: "test", critic: "none" }],
});

/** How often a text stands in another. */
function count(text: string, part: string): number {
  return text.split(part).length - 1;
}

/** Whether every tag of an XML text is closed in the right order. */
function isBalanced(xml: string): boolean {
  const open: string[] = [];
  for (const [, close, name = "", self] of xml.matchAll(/<(\/?)([a-z]+)(?:\s[^<>]*?)?(\/?)>/gi)) {
    if (self) continue;
    if (!close) open.push(name);
    else if (open.pop() !== name) return false;
  }
  return open.length === 0;
}

it("drawTopology() writes DOT", () => {
  expect(drawTopology(software, { format: "dot" })).toMatchInlineSnapshot(`
    "digraph "test" {
      rankdir=TB; node [shape=box, style="rounded", fontname="Helvetica"]; edge [fontname="Helvetica", fontsize=10];
      "plan" [label="plan\\nprogrammer"];
      "code" [label="code\\nprogrammer"];
      "test" [label="test\\ntester"];
      "plan" -> "code" [label="reviewer"];
      "plan" -> "test";
      "code" -> "test" [label="reviewer"];
    }
    "
  `);
});

it("drawTopology() writes Mermaid", () => {
  expect(drawTopology(software, { format: "mermaid" })).toMatchInlineSnapshot(`
    "flowchart LR
      n0("plan<br/>programmer")
      n1("code<br/>programmer")
      n2("test<br/>tester")
      n0 -->|"reviewer"| n1
      n0 --> n2
      n1 -->|"reviewer"| n2
    "
  `);
});

it("drawTopology() writes an SVG with every node, edge and critic, for light and dark pages", () => {
  const svg = drawTopology(software, { format: "svg" });
  expect(isBalanced(svg)).toBe(true);
  expect(svg).toContain("@media (prefers-color-scheme:dark)");
  expect(count(svg, 'class="wire" marker-end')).toBe(3);
  expect(count(svg, ">reviewer</text>")).toBe(2);
  for (const id of ["plan", "code", "test"]) expect(svg).toContain(`>${id}</text>`);
  expect(svg).toContain("3 nodes · 3 edges · depth 2 · at most 9 activations");
});

it("drawTopology() keeps everything within the picture", () => {
  for (const kind of ["chain", "star", "tree", "mesh", "layer", "random"]) {
    for (const size of [1, 2, 7, 30, 400]) {
      const svg = drawTopology(graphOf({ shape: { kind, size } }), { format: "svg" });
      const [, width = 0, height = 0] = (/viewBox="0 0 (\d+) (\d+)"/.exec(svg) ?? []).map(Number);
      const [, left = 0, top = 0] = (/<g transform="translate\(([\d.]+) ([\d.]+)\)">/.exec(svg) ?? []).map(Number);
      expect(svg).not.toMatch(/NaN|Infinity|undefined/);
      expect(isBalanced(svg)).toBe(true);
      for (const [, x, y] of svg.matchAll(/<text class="id mid"[^>]* x="([-\d.]+)" y="([-\d.]+)"/g)) {
        expect(Number(x) + left).toBeGreaterThan(0);
        expect(Number(x) + left).toBeLessThan(width);
        expect(Number(y) + top).toBeGreaterThan(0);
        expect(Number(y) + top).toBeLessThan(height);
      }
    }
  }
});

it("drawTopology() draws boxes with names up to a hundred nodes, and dots beyond", () => {
  const small = drawTopology(graphOf({ shape: { kind: "tree", size: 100 } }), { format: "svg" });
  expect(count(small, '<rect class="box t0"')).toBe(101);
  const large = drawTopology(graphOf({ shape: { kind: "tree", size: 1000 } }), { format: "svg" });
  expect(count(large, "<circle")).toBe(1001);
  expect(count(large, 'class="id mid"')).toBe(0);
});

it("drawTopology() samples the edges of a very dense graph and says so", () => {
  const svg = drawTopology(graphOf({ shape: { kind: "mesh", size: 300 } }), { format: "svg" });
  expect(svg.length).toBeLessThan(1_500_000);
  expect(svg).toMatch(/44,850 edges .* [\d,]+ of the edges shown/);
});

it("drawTopology() draws a fixed list as a chain", () => {
  const file = { troupe: 1, name: "list", director: "fixed", agents: ["actor", "tester"] };
  const { graph } = bundleTopology({ file, cards });
  expect(drawTopology(graph, { format: "mermaid" })).toContain("n0 --> n1");
  expect(count(drawTopology(graph, { format: "svg" }), 'class="wire" marker-end')).toBe(1);
});

it("drawTopology() escapes what a topology made by a program may hold", () => {
  const evil = `<script>"&'\u0007\\`;
  const graph = { ...software, name: evil, nodes: software.nodes.map((node) => ({ ...node, id: `${evil}${node.index}`, agent: evil })) };
  const svg = drawTopology(graph, { format: "svg" });
  expect(svg).not.toContain("<script");
  expect(svg).toContain("&lt;script&gt;&quot;&amp;&#39; \\");
  expect(isBalanced(svg)).toBe(true);
  expect(drawTopology(graph, { format: "dot" })).toContain(`"<script>\\"&'\u0007\\\\0"`);
  expect(drawTopology(graph, { format: "mermaid" })).not.toMatch(/<script|"<|\\/);
});

it("drawTopology() gives the same text for the same topology", () => {
  const of = () => drawTopology(graphOf({ shape: { kind: "random", size: 12 }, defaults }), { format: "svg" });
  expect(of()).toBe(of());
});
