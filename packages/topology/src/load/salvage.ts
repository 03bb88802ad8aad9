import { type TopologyFile, topologyFile } from "@troupe/schema";
import { nearest } from "../yaml/did-you-mean.ts";
import { valueAt } from "../yaml/json-schema-view.ts";

const rounds = 10;
const stand: Record<string, unknown> = { troupe: 1, name: "unnamed" };

/**
 * Takes the faulty parts out of a topology, so that the rest can be checked as well and all problems be told at once.
 *
 * @returns the rest, and the top-level keys that can't be trusted any more; undefined when there is no rest.
 */
export function salvage(raw: unknown): { file: TopologyFile; broken: Set<string> } | undefined {
  const value = copyMapping(raw);
  if (value === undefined) return undefined;
  const broken = new Set<string>();
  for (let round = 0; round < rounds; round++) {
    const parsed = topologyFile.safeParse(value);
    if (parsed.success) return { file: parsed.data, broken };
    for (const issue of parsed.error.issues) {
      if (issue.code === "unrecognized_keys") for (const key of issue.keys) dropUnknown(value, [...issue.path, key], broken);
      else dropWrong(value, issue.path, broken);
    }
  }
  return undefined;
}

/** A key that does not exist was perhaps meant to be another: what holds it can't be trusted. */
function dropUnknown(value: Record<string, unknown>, path: readonly PropertyKey[], broken: Set<string>): void {
  const key = String(path.at(-1));
  const top = path.length === 1 ? (nearest(key, Object.keys(topologyFile.shape)) ?? key) : String(path[0]);
  broken.add(top);
  drop(value, path);
}

/** A wrong value that is optional is left out alone; anything else takes its whole top-level part with it. */
function dropWrong(value: Record<string, unknown>, path: readonly PropertyKey[], broken: Set<string>): void {
  const top = String(path[0]);
  if (top in stand) {
    value[top] = stand[top];
  } else if (path.length < 2 || !drop(value, path)) {
    broken.add(top);
    delete value[top];
  }
}

/** Deletes the key at a path; false when no mapping has it. */
function drop(value: unknown, path: readonly PropertyKey[]): boolean {
  const parent = valueAt(
    value,
    path.slice(0, -1).map((part) => (typeof part === "number" ? part : String(part))),
  );
  const key = path.at(-1) ?? "";
  if (typeof parent !== "object" || parent === null || Array.isArray(parent) || !Object.hasOwn(parent, key)) return false;
  return Reflect.deleteProperty(parent, key);
}

/** A copy of plain data; undefined when it is none, as objects of a program can be. */
function copyMapping(raw: unknown): Record<string, unknown> | undefined {
  if (typeof raw !== "object" || raw === null || Array.isArray(raw)) return undefined;
  try {
    return structuredClone(raw) as Record<string, unknown>;
  } catch {
    return undefined;
  }
}
