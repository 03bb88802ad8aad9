import { type ArtifactRef, activation, publicTask, type RunView } from "@troupe/schema";
import { bundleTopology } from "@troupe/topology";
import { expect, it } from "vitest";
import { createDirector } from "./create-director.ts";

const card = (name: string, output?: string) => ({ agent: 1, name, kind: "actor", instructions: "Work.", ...(output && { output }) });
const cards = { planner: card("planner", "text"), coder: card("coder"), tester: card("tester") };
const refOf = (digit: string, kind: ArtifactRef["kind"]): ArtifactRef => ({ hash: digit.repeat(64), kind, bytes: 1 });
const product = refOf("a", "files");

/** Names of the inputs of each activation of a run that goes on from a product, agent by agent. */
function inputsOf(file: Record<string, unknown>): string[] {
  const director = createDirector(bundleTopology({ file: { troupe: 1, name: "test", ...file }, cards }).graph);
  const all: string[] = [];
  const kinds = { planner: "text", coder: "files", tester: "files" } as const;
  const view = {
    task: publicTask.parse({ id: "t", prompt: "p" }),
    taskRef: refOf("b", "text"),
    from: product,
    get nextId() {
      return all.length;
    },
  } as RunView;
  const agents: (keyof typeof kinds)[] = [];
  let step = director.start(view);
  for (let id = 0; step.finish === undefined; id++) {
    for (const draft of step.start ?? []) {
      const { agent = "", inputs } = activation.parse({ ...draft, id: all.length });
      agents.push(agent as keyof typeof kinds);
      all.push(`${agent}: ${inputs.map((input) => input.name).join(", ")}`);
    }
    const kind = kinds[agents[id] ?? "coder"];
    step = director.settled({ activation: id, state: "done", artifact: refOf(String(id), kind) }, view);
  }
  return all;
}

const expected = ["planner: task, previous", "coder: task, previous, artifact", "tester: task, artifact"];

it("GraphDirector gives the earlier product to everybody until one has made something of it", () => {
  const nodes = ["planner", "coder", "tester"].map((agent) => ({ id: agent, agent }));
  expect(inputsOf({ nodes, edges: ["planner -> coder -> tester"] })).toEqual(expected);
});

it("FixedDirector gives the earlier product to everybody until one has made something of it", () => {
  expect(inputsOf({ director: "fixed", agents: ["planner", "coder", "tester"] })).toEqual(expected);
});
