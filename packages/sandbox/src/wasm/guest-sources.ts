import { readdirSync, readFileSync } from "node:fs";
import type { FileEntry } from "@troupe/schema";
import { transform } from "sucrase";

/** JavaScript of the modules that stand in for Node's inside the guest, by name. */
export function loadGuestModules(): ReadonlyMap<string, string> {
  const folder = new URL("./guest/", import.meta.url);
  const names = readdirSync(folder).filter((name) => name.endsWith(".js"));
  return new Map(names.map((name) => [name, readFileSync(new URL(name, folder), "utf8")]));
}

/** The scripts of a tree by path; modules are turned into CommonJS, which is all that the guest loads. */
export function toScripts(files: readonly FileEntry[]): ReadonlyMap<string, string> {
  const scripts = files.filter((file) => /\.[cm]?jsx?$/.test(file.path) && file.encoding === "utf8");
  return new Map(scripts.map((file) => [file.path, toCommonJs(file.content)]));
}

/** CommonJS of a module; any other script stays as it is, also one that can't be parsed. */
export function toCommonJs(source: string): string {
  if (!/^\s*(import\b|export\b)/m.test(source)) return source;
  try {
    return transform(source, { transforms: ["imports"], disableESTransforms: true, preserveDynamicImport: false }).code;
  } catch {
    return source;
  }
}
