import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import { arrows, mayImport } from "../../scripts/layers.mjs";
import { packageNames, packageOf, readJson, sourceFiles } from "../support/workspace.ts";

interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
}
interface Project {
  readonly references?: readonly { readonly path: string }[];
}

it("imports: every package has a row in the table of arrows", () => {
  const rows = [...Object.keys(arrows), "troupe"];
  expect(packageNames().filter((name) => !rows.includes(name))).toEqual([]);
});

it("imports: the table of arrows has no cycle", () => {
  const levels = new Map<string, number>();
  const levelOf = (name: string, path: readonly string[] = []): number => {
    expect(path).not.toContain(name);
    const level = levels.get(name) ?? 1 + Math.max(0, ...mayImport(name).map((below) => levelOf(below, [...path, name])));
    levels.set(name, level);
    return level;
  };
  for (const name of Object.keys(arrows)) levelOf(name);
  expect(levels.get("schema")).toBe(1);
});

describe.each(packageNames())("imports of %s", (name) => {
  const files = sourceFiles(name);
  const places = (wrong: (specifier: string, path: string) => boolean, tests: boolean): string[] =>
    files
      .filter(({ isTest }) => tests || !isTest)
      .flatMap(({ path, imports }) =>
        imports.filter((specifier) => wrong(specifier, path)).map((specifier) => `${path} imports ${specifier}`),
      );

  it("follow the arrows", () => {
    const isAgainst = (specifier: string): boolean => {
      const other = packageOf(specifier);
      return other !== undefined && !mayImport(name).includes(other);
    };
    expect(places(isAgainst, false)).toEqual([]);
  });

  it("reach no inside of another package", () => {
    const isDeep = (specifier: string): boolean => packageOf(specifier) !== undefined && specifier.split("/").length > 2;
    expect(places(isDeep, true)).toEqual([]);
  });

  it("stay inside the package, but for what tests take from test/support", () => {
    const leaves = (specifier: string, path: string): boolean => {
      const target = posix.join(posix.dirname(path), specifier);
      const isSupport = path.endsWith(".test.ts") && target.startsWith("test/support/");
      return specifier.startsWith(".") && !isSupport && !target.startsWith(`packages/${name}/`);
    };
    expect(places(leaves, true)).toEqual([]);
  });

  it("are all declared in package.json and tsconfig.json, which declare nothing against the arrows", () => {
    const dependencies = Object.keys(readJson<Manifest>(`packages/${name}/package.json`).dependencies ?? {}).flatMap(
      (specifier) => packageOf(specifier) ?? [],
    );
    const references = (readJson<Project>(`packages/${name}/tsconfig.json`).references ?? []).map(({ path }) => posix.basename(path));
    const imported = new Set(
      files.filter(({ isTest }) => !isTest).flatMap(({ imports }) => imports.flatMap((specifier) => packageOf(specifier) ?? [])),
    );
    expect([...imported].filter((other) => !dependencies.includes(other))).toEqual([]);
    expect([...imported].filter((other) => !references.includes(other))).toEqual([]);
    expect([...dependencies, ...references].filter((other) => !mayImport(name).includes(other))).toEqual([]);
  });
});
