import { type Artifact, entryOf, type FileEntry } from "@troupe/schema";
import type { Material } from "../material.ts";
import type { Section } from "./sections.ts";
import { optionsSection, valueSoFar, withLetter } from "./product-words.ts";
import { showArtifact, showFiles, weights } from "./show-artifact.ts";
import type { Work } from "../work.ts";

/** The task, and what comes with it: options, earlier texts, given files, visible tests. */
export function taskSections(work: Work, shown: readonly FileEntry[]): Section[] {
  const { context, material } = work;
  const entry = entryOf(context.task);
  const given = context.task.files.filter((file) => !shown.some((other) => other.path === file.path));
  const { tests } = context.task;
  return [
    { head: "## Task\n", text: material.task.trim(), weight: weights.task },
    ...optionsSection(context.task),
    ...contextOf(work).flatMap(({ name, artifact }) => showArtifact(`## ${titleOf(name)}`, artifact, entry, weights.context)),
    ...(material.item === undefined ? [] : [...showArtifact("## Your part", material.item, entry, weights.task), { text: onlyThisPart }]),
    ...(given.length > 0 ? showFiles("## Files that are given", given, entry) : []),
    ...(tests.length > 0 ? showFiles("## Tests that must pass (they can't be changed)", tests, entry, weights.tests) : []),
  ];
}

const onlyThisPart = "Work on your part alone: others do the other parts of the task.";

/** What {@link jobSections} asks about. */
interface JobQuestion {
  readonly tree: readonly FileEntry[];
  readonly entry: string;
  /** Whether a review may be wrong: the program passes all tests. */
  readonly mayRefuse: boolean;
}

/** What an actor is asked, by which inputs it has: create, develop further (by a critic's instruction), or revise by a critique. */
export function jobSections({ material }: Pick<Work, "material">, { tree, entry, mayRefuse }: JobQuestion): Section[] {
  const noun = tree.some((file) => file.path === entry) ? "program" : "files";
  const asked = instructionSections(material);
  const first = asked.length === 0 ? "" : followInstruction;
  if (tree.length === 0) return [...asked, { text: `## Your job\n${first}Create it: complete, working, nothing left open.` }];
  const shown = showFiles(`## The ${noun} so far`, tree, entry);
  if (material.artifact?.kind !== "files" && material.previous !== undefined) {
    return [
      ...shown,
      ...asked,
      { text: `## Your job\n${first}The task asks to change the ${noun} above. Make this change and keep everything else that works.` },
    ];
  }
  if (material.critique !== undefined) {
    return [
      ...shown,
      { head: "## Review\n", text: material.critique, weight: weights.critique },
      { text: `## Your job\nChange the ${noun} as the review says. Keep everything else that works.${mayRefuse ? refusal : ""}` },
    ];
  }
  return [
    ...shown,
    ...asked,
    {
      text: `## Your job\n${first}Take the ${noun} further, as your role asks: add or correct what the task wants and what is still missing or wrong. Keep what works. Files that stay as they are need not be repeated. If nothing at all needs to change, answer only: NO CHANGE`,
    },
  ];
}

const refusal = " All tests pass, so the review may be wrong: if nothing needs to change, answer only: NO CHANGE";

/** What a critic told the actor behind its edge; nothing when it asked for nothing. */
export function instructionSections({ instruction }: Pick<Material, "instruction">): Section[] {
  if (instruction === undefined) return [];
  return [{ head: "## Review of the version before this one\n", text: instruction, weight: weights.critique }];
}

/** Goes before a job that has an instruction. */
export const followInstruction = "See to it that what the review asks for is done. ";

/**
 * What is asked after a failed run, in the talk that led to the program. Code only: small models that are first to explain a failure
 * explain it wrongly, or stop after the explanation.
 */
export function fixRequest(output: string): string {
  return `The program was run, and this is what happened:\n\`\`\`\n${output}\n\`\`\`\n${correctIt} Write every file that changes whole, in the same form as before.`;
}

/** The same where the talk is too long to go on. */
export function fixSections(tree: readonly FileEntry[], entry: string, output: string): Section[] {
  return [
    ...showFiles("## The program so far", tree, entry),
    { head: "## What happened when it was run\n```\n", text: output, tail: "\n```", weight: weights.output },
    { text: `## Your job\n${correctIt}` },
  ];
}

const correctIt =
  "Correct the program, so that this failure is gone. If a test of yours expects something that the task does not say, correct the test instead. Keep everything else.";

/** What is asked after a correction that made nothing better: the program anew, without the one to copy from, with what went wrong. */
export function rewriteSections(output: string): Section[] {
  return [
    { head: "## Mind this\nAn earlier program did this wrong:\n", text: gistOf(output), weight: weights.output },
    { text: "## Your job\nCreate it anew: complete, working, nothing left open, and right in this case." },
  ];
}

/** The case of the first failed test where there is one: what was called and what must come of it, without what the earlier program did. */
function gistOf(output: string): string {
  const [, first = ""] = output.split(/^(?=FAILED: )/m);
  const facts = first.split("\n").filter((line) => /^(Called|Its input|Wrong|So in this case)\b/.test(line));
  return facts.length === 0 ? output : facts.join("\n");
}

/**
 * The texts an agent is given besides the task. An actor's starting points are among them when they are no tree and not the product itself;
 * a critic is shown what it judges apart.
 */
function contextOf(work: Work): Material["context"] {
  const { artifact, previous, context } = work.material;
  if (work.card.kind !== "actor") return context;
  const named = (name: string, of: Artifact | undefined) =>
    of === undefined || of.kind === "files" ? [] : [{ name, artifact: withLetter(of, work.context.task) }];
  return [...context, ...named("earlier product", previous), ...(valueSoFar(work) === undefined ? named("notes", artifact) : [])];
}

function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll(/[-_]/g, " ");
}
