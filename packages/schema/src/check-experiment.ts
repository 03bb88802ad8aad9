import type { z } from "zod";

/** The parts of an experiment that must fit each other. */
interface Parts {
  readonly systems: readonly {
    readonly name?: string | undefined;
    readonly topology: string;
    readonly limits?: unknown;
    readonly overrides?: unknown;
  }[];
  readonly seeds: readonly number[] | { readonly from: number; readonly count: number };
  readonly tasks: { readonly split?: Split | undefined };
  readonly statistics: { readonly pairs: "first" | "all" | readonly (readonly string[])[] };
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
}

function checkSystems(systems: Parts["systems"], report: Report): void {
  const seen = new Map<string, number>();
  for (const [at, { name, topology, limits, overrides }] of systems.entries()) {
    if (name === undefined && (limits !== undefined || overrides !== undefined))
      report(["systems", at], "needs a `name`: with limits or overrides it is not the plain topology, and its rows must not pass for that");
    const used = name ?? topology;
    const before = seen.get(used);
    if (before !== undefined)
      report(["systems", at], `is called ${JSON.stringify(used)}, as systems[${before}] is; give it another \`name\``);
    seen.set(used, before ?? at);
  }
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
  const names = systems.map(({ name, topology }) => name ?? topology);
  const seen = new Set<string>();
  for (const [at, pair] of pairs.entries()) {
    const path = ["statistics", "pairs", at];
    for (const name of pair)
      if (!names.includes(name)) report(path, `names ${JSON.stringify(name)}, which is none of the systems: ${names.join(", ")}`);
    if (pair[0] === pair[1]) report(path, "compares a system with itself");
    const key = JSON.stringify([...pair].sort());
    if (seen.has(key)) report(path, "is a pair that is in the list already");
    seen.add(key);
  }
}
