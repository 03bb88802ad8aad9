import type { z } from "zod";
import { namesLike } from "./names-like.ts";
import { countVariants, mostVariants, variantsOf, variedFields } from "./variation.ts";

/** The parts of an experiment that must fit each other. */
interface Parts {
  readonly systems: readonly System[];
  readonly seeds: readonly number[] | { readonly from: number; readonly count: number };
  readonly tasks: { readonly split?: Split | undefined };
  readonly metrics: readonly string[];
  readonly scaling?: { readonly measure?: string | undefined } | undefined;
  readonly statistics: { readonly pairs: "first" | "all" | readonly (readonly string[])[] };
}

interface System {
  readonly name?: string | undefined;
  readonly topology: string;
  readonly limits?: unknown;
  readonly overrides?: unknown;
  readonly vary?: Parameters<typeof countVariants>[0];
}

interface Split {
  readonly parts: Readonly<Record<string, number | readonly string[]>>;
  readonly use: string;
}

type Report = (path: (string | number)[], message: string) => void;

/** Finds what a schema alone can't see: names used twice or not at all, seeds used twice, shares that are more than the whole. */
export function checkExperiment(file: Parts, context: z.core.$RefinementCtx): void {
  const report: Report = (path, message) => context.addIssue({ code: "custom", path, message });
  checkSystems(file.systems, report);
  checkSeeds(file.seeds, report);
  if (file.tasks.split !== undefined) checkSplit(file.tasks.split, report);
  checkPairs(file, report);
  const measure = file.scaling?.measure;
  if (measure !== undefined && !file.metrics.includes(measure))
    report(["scaling", "measure"], `is ${JSON.stringify(measure)}, which is none of the \`metrics\`: ${file.metrics.join(", ")}`);
}

function checkSystems(systems: Parts["systems"], report: Report): void {
  const seen = new Map<string, number>();
  for (const [at, system] of systems.entries()) {
    if (system.vary !== undefined) checkVariation(system.vary, at, report);
    if (system.name === undefined && (system.limits ?? system.overrides ?? system.vary) !== undefined)
      report(["systems", at], "needs a `name`: it is not the plain topology, and its rows must not pass for that");
    const twice = namesOf(system).find((name) => seen.has(name));
    if (twice !== undefined)
      report(["systems", at], `is called ${JSON.stringify(twice)}, as systems[${seen.get(twice)}] is; give it another \`name\``);
    for (const name of namesOf(system)) if (!seen.has(name)) seen.set(name, at);
  }
}

function checkVariation(vary: System["vary"], at: number, report: Report): void {
  const place = ["systems", at, "vary"];
  const fields = variedFields(vary);
  if (fields.length === 0) report(place, "varies nothing; name a field, such as `shape.size: [1, 2, 4]`");
  const repeated = fields.flatMap(([field, values]) =>
    values.flatMap((value, index) => (values.indexOf(value) < index ? [[field, index] as const] : [])),
  );
  for (const path of repeated) report([...place, ...path], "is a value that is in the list already");
  if (repeated.length > 0) return;
  const count = countVariants(vary);
  if (count > mostVariants) {
    report(place, `makes ${count} systems, more than ${mostVariants}`);
    return;
  }
  const names = variantsOf({ topology: "", vary }).map(({ name }) => name);
  const twice = names.find((name, i) => names.indexOf(name) < i);
  if (twice !== undefined)
    report(place, `makes two systems whose names end with ${JSON.stringify(twice)}; give the cards other file names`);
}

/** Names of the systems that an entry stands for; of too many, which is a problem of its own, none but its own. */
function namesOf(system: System): string[] {
  if (countVariants(system.vary) > mostVariants) return [system.name ?? system.topology];
  return [...new Set(variantsOf(system).map(({ name }) => name))];
}

function checkSeeds(seeds: Parts["seeds"], report: Report): void {
  if ("from" in seeds) {
    if (seeds.from + seeds.count > 2 ** 32) report(["seeds", "count"], "leads beyond the largest seed, 4294967295");
    return;
  }
  for (const [at, seed] of seeds.entries()) if (seeds.indexOf(seed) < at) report(["seeds", at], "is a seed that is in the list already");
}

function checkSplit({ parts, use }: Split, report: Report): void {
  const at = ["tasks", "split", "parts"];
  const names = Object.keys(parts);
  if (!names.includes(use)) report(["tasks", "split", "use"], `is ${JSON.stringify(use)}, which is none of the parts: ${names.join(", ")}`);
  const lists = Object.entries(parts).flatMap(([name, part]) => (typeof part === "number" ? [] : part.map((id) => ({ name, id }))));
  const shares = Object.values(parts).filter((part) => typeof part === "number");
  if (lists.length > 0 && shares.length > 0) report(at, "mixes shares and lists of ids; use one of both");
  const sum = shares.reduce((total, share) => total + share, 0);
  if (sum > 1 + 1e-9) report(at, `has shares that add up to ${Number(sum.toFixed(4))}, more than the whole set`);
  const seen = new Map<string, string>();
  for (const { name, id } of lists) {
    const before = seen.get(id);
    if (before !== undefined) report([...at, name], `names ${JSON.stringify(id)}, which is in ${before} already`);
    seen.set(id, name);
  }
}

function checkPairs({ systems, statistics: { pairs } }: Parts, report: Report): void {
  if (typeof pairs === "string") return;
  const names = systems.flatMap(namesOf);
  const seen = new Set<string>();
  for (const [at, pair] of pairs.entries()) {
    const path = ["statistics", "pairs", at];
    for (const name of pair)
      if (namesLike(name, names).length === 0)
        report(path, `names ${JSON.stringify(name)}, which is none of the systems: ${listed(names)}`);
    if (pair[0] === pair[1]) report(path, "compares a system with itself");
    const key = JSON.stringify([...pair].sort());
    if (seen.has(key)) report(path, "is a pair that is in the list already");
    seen.add(key);
  }
}

const mostListed = 12;

function listed(names: readonly string[]): string {
  const rest = names.length - mostListed;
  return `${names.slice(0, mostListed).join(", ")}${rest > 0 ? ` and ${rest} more` : ""}`;
}
