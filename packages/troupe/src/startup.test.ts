import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

/** What a module and everything that it imports at once load from other packages; what is imported later, or for types alone, is left out. */
function loadedBy(file: string, seen = new Set<string>()): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const imports = readFileSync(file, "utf8").matchAll(/^(?:import|export)\s+(?!type\s)([^;]*?)\s*from\s+"([^"]+)";/gms);
  return [...imports].flatMap(([, names = "", from = ""]) => {
    const onlyTypes = /^\{\s*(?:type [^,}]+,?\s*)+\}$/.test(names);
    if (onlyTypes) return [];
    return from.startsWith(".") ? loadedBy(join(dirname(file), from), seen) : [from];
  });
}

it("the command begins without any of our packages and without zod, so that --help answers at once", () => {
  const loaded = new Set(loadedBy(fileURLToPath(new URL("main.ts", import.meta.url))));
  expect([...loaded].filter((name) => name.startsWith("@troupe/") || name === "zod")).toEqual([]);
  expect(loaded).toContain("@stricli/core");
});
