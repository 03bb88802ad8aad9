import type { ActivationRow } from "@troupe/runtime";
import type { Artifact, ArtifactRef } from "@troupe/schema";
import { changedLines } from "./changed-lines.ts";
import { namedWords } from "./named-words.ts";
import type { RunParts } from "./run-parts.ts";
import { shareOf } from "./share-of.ts";

/** What became of the suggestions of critics. */
export interface Adoption {
  /** Verdicts that asked for a change and were given to an actor that has ended. */
  readonly suggestions: number;
  /** Suggestions after which an artifact was another one: the source's or the target's. */
  readonly adopted: number;
  /** Of these: those after which the source actor, which was criticised, had changed its artifact. */
  readonly bySource: number;
  /** Of these: those after which the target actor, which was instructed, had changed what it was given. */
  readonly byTarget: number;
  /** `adopted` of `suggestions`; undefined without suggestions. */
  readonly share: number | undefined;
  /** Suggestions that name something: words in quotes, identifiers. */
  readonly naming: number;
  /** Of these: those of which a named word stands in a changed line. */
  readonly traced: number;
  /** `traced` of `naming`; undefined when none names anything. */
  readonly tracedShare: number | undefined;
}

/** The same for one edge of the topology. */
export interface EdgeAdoption extends Adoption {
  /** Such as `1→2`; inside a subgraph with its scope. */
  readonly edge: string;
}

/** What an activation did with a suggestion. */
interface Use {
  readonly input: "critique" | "instruction";
  /** Artifacts before and after, when it changed something. */
  readonly change: readonly [before: ArtifactRef, after: ArtifactRef] | undefined;
}

/** What became of the suggestions of each edge, in the order in which its critic first spoke, and of all. */
export function measureAdoption(parts: RunParts): { readonly all: Adoption; readonly edges: readonly EdgeAdoption[] } {
  const uses = usesOf(parts);
  const edges = new Map<string, Tally>();
  const all = new Tally();
  for (const { id, edge, verdict: said } of parts.verdicts) {
    const own = uses.get(id);
    if (said.verdict === "accept" || own === undefined) continue;
    const tally = edges.get(edge) ?? new Tally();
    edges.set(edge, tally);
    for (const each of [tally, all]) each.add(said.critique, own, parts.read);
  }
  return { all: all.result(), edges: [...edges].map(([edge, tally]) => ({ edge, ...tally.result() })) };
}

/** By critic's activation: what was done with its verdict, by activations that have ended. */
function usesOf({ logged, rows }: RunParts): Map<number, Use[]> {
  const uses = new Map<number, Use[]>();
  for (const [id, { activation, makers }] of logged.entries()) {
    const row = rows[id];
    if (row?.state !== "done" && row?.state !== "failed") continue;
    for (const [place, { name }] of activation.inputs.entries()) {
      const critic = makers[place];
      if (critic === undefined || (name !== "critique" && name !== "instruction")) continue;
      const list = uses.get(critic) ?? [];
      uses.set(critic, list);
      list.push({ input: name, change: changeOf(row) });
    }
  }
  return uses;
}

/** What an activation was given to work on, and what it made of it, when that is another thing. */
function changeOf({ activation, output }: ActivationRow): Use["change"] {
  const given = activation.inputs.find(({ name }) => name === "artifact");
  if (given === undefined || !("ref" in given) || output === undefined) return undefined;
  return output.hash === given.ref.hash ? undefined : [given.ref, output];
}

class Tally {
  #suggestions = 0;
  #adopted = 0;
  #bySource = 0;
  #byTarget = 0;
  #naming = 0;
  #traced = 0;

  add(critique: string, uses: readonly Use[], read: (ref: ArtifactRef) => Artifact): void {
    const changes = uses.flatMap(({ change }) => (change === undefined ? [] : [change]));
    const has = (input: Use["input"]): number => Number(uses.some((use) => use.input === input && use.change !== undefined));
    this.#suggestions++;
    this.#adopted += changes.length > 0 ? 1 : 0;
    this.#bySource += has("critique");
    this.#byTarget += has("instruction");
    const names = namedWords(critique);
    if (names.length === 0) return;
    this.#naming++;
    const lines = changes.flatMap(([before, after]) => changedLines(read(before), read(after)));
    if (names.some((name) => lines.some((line) => line.includes(name)))) this.#traced++;
  }

  result(): Adoption {
    const [suggestions, adopted, naming, traced] = [this.#suggestions, this.#adopted, this.#naming, this.#traced];
    return {
      suggestions,
      adopted,
      bySource: this.#bySource,
      byTarget: this.#byTarget,
      share: shareOf(adopted, suggestions),
      naming,
      traced,
      tracedShare: shareOf(traced, naming),
    };
  }
}
