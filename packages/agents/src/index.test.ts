import { readFileSync } from "node:fs";
import { agentCard } from "@troupe/schema";
import { expect, it } from "vitest";

it.each(["merger", "planner", "programmer", "reviewer", "tester"])("agents/%s.yaml names itself and gives instructions", (name) => {
  const text = readFileSync(new URL(`../../../agents/${name}.yaml`, import.meta.url), "utf8");
  expect(text).toContain(`name: ${name}\n`);
  expect(text).toMatch(/^instructions: \|$/m);
  expect(agentCard.shape.kind.options.some((kind) => text.includes(`kind: ${kind}\n`))).toBe(true);
});
