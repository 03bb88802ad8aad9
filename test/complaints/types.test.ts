import { join } from "node:path";
import ts from "typescript";
import { expect, it } from "vitest";
import { root } from "../support/workspace.ts";

/** A program of a user: a topology as a literal, checked by the type that its schema gives. */
function programOf(nodes: number): string {
  const ids = Array.from({ length: nodes }, (_, i) => `n${i}`);
  const entries = ids.map((id, i) => `{ id: "${id}", agent: "coder", temperature: ${i / nodes} }`);
  const edges = ids.slice(1).map((id, i) => `{ from: "n${i}", to: "${id}", critic: "judge", rounds: ${i % 3} }`);
  return `import { type AgentCard, agentCard, topologyBundle, topologyFile } from "@troupe/schema";
import { bundleTopology } from "@troupe/topology";
import type { z } from "zod";

const file: z.input<typeof topologyFile> = {
  troupe: 1,
  name: "typed",
  nodes: [${entries.join(", ")}],
  edges: [${edges.join(", ")}],
  defaults: { aggregator: "merger", temperature: { from: 0.4, to: 0.1 } },
  limits: { tokens: 1000 },
};
export const bundle = topologyBundle.parse({ file, cards: {} });
export const loaded = bundleTopology({ file, cards: {} }).graph.name;
export const names: readonly string[] = Object.values(bundle.cards).map((card: AgentCard) => agentCard.parse(card).name);
export const first = topologyFile.parse(file).nodes?.[0]?.temperature?.toFixed(2);
`;
}

const { config } = ts.readConfigFile(join(root, "tsconfig.test.json"), ts.sys.readFile) as { config: object };
const { tsBuildInfoFile: _none, ...options } = {
  ...ts.parseJsonConfigFileContent({ ...config, files: [], include: [] }, ts.sys, root).options,
  incremental: false,
};

/** What the compiler says of a program, and how many types it had to make for it. */
function check(text: string, before?: ts.Program) {
  const path = join(root, "test", "complaints", "user-program.ts");
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (name) => name === path || fileExists.call(host, name);
  host.readFile = (name) => (name === path ? text : readFile.call(host, name));
  host.getSourceFile = (name, ...rest) =>
    name === path ? ts.createSourceFile(name, text, rest[0]) : (before?.getSourceFile(name) ?? getSourceFile.call(host, name, ...rest));
  const program = ts.createProgram({ rootNames: [path], options, host });
  const problems = program
    .getSemanticDiagnostics(program.getSourceFile(path))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, "\n"));
  return { program, problems, instantiations: program.getInstantiationCount() };
}

it("row 14: the types of a topology of 50 nodes cost the compiler a bounded number of instantiations, and hardly more than those of two", () => {
  const two = check(programOf(2));
  expect(two.problems).toEqual([]);
  const fifty = check(programOf(50), two.program);
  expect(fifty.problems).toEqual([]);
  expect(fifty.instantiations).toBeLessThan(60_000);
  expect(fifty.instantiations - two.instantiations).toBeLessThan(5_000);
}, 120_000);

it("row 14: what is wrong in a literal is an error of its own field", () => {
  const { problems } = check(programOf(2).replace('name: "typed"', "name: 5").replace("rounds: 0", 'rounds: "none"'));
  expect(problems.filter((problem) => problem.includes("excessively deep"))).toEqual([]);
  expect(problems.join("\n")).toMatch(/Type 'number' is not assignable to type 'string'/);
}, 120_000);
