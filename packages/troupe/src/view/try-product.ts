import { checkProduct, type ProductCheck } from "@troupe/agents";
import type { Ports } from "@troupe/runtime";
import { type Artifact, entryOf, type PublicTask, type Task } from "@troupe/schema";
import { type Grade, gradeProduct } from "@troupe/tasks";
import type { TroupeContext } from "../context.ts";
import { quoted } from "../quoted.ts";

/** What trying a product out showed; what could not be tried is absent. */
export interface Trial {
  readonly check: ProductCheck | undefined;
  readonly grade: Grade | undefined;
}

/** Runs a product and its tests in the sandbox, and grades it when the task says how. Nothing is tried after an interruption. */
export async function tryProduct(artifact: Artifact, task: Task | PublicTask, context: TroupeContext, ports: Ports): Promise<Trial> {
  const { signal } = context;
  const { sandbox } = ports;
  if (signal.aborted) return { check: undefined, grade: undefined };
  const check = artifact.kind === "files" ? await checkProduct(artifact.files, { task, sandbox, signal }) : undefined;
  const graded = "grader" in task && task.grader !== undefined;
  const grade = graded ? await gradeProduct(task, artifact, { sandbox, signal }) : undefined;
  return { check, grade };
}

/** The call with which a person tries a product out, or nothing when it is no program. */
export function callToTry(artifact: Artifact, task: PublicTask, folder: string): string | undefined {
  const entry = entryOf(task);
  if (artifact.kind !== "files" || !artifact.files.some((file) => file.path === entry)) return undefined;
  const path = quoted(`${folder}/${entry}`);
  switch (task.language) {
    case "python":
      return `python ${path}`;
    case "javascript":
      return `node ${path}`;
    case "typescript":
      return `npx tsx ${path}`;
  }
}
