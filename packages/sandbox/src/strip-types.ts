import { posix } from "node:path";
import { Script } from "node:vm";
import type { Command, FileEntry } from "@troupe/schema";
import { transform } from "sucrase";

/** A tree whose TypeScript can be run by any JavaScript engine. */
export interface StrippedTree {
  readonly files: readonly FileEntry[];
  readonly command: Command;
  /** Takes the JavaScript that was made here out of the tree afterwards, unless the program changed it. */
  restore(after: readonly FileEntry[]): FileEntry[];
}

type ModuleKind = "commonjs" | "module";

const typeScript = /\.[cm]?tsx?$/;
const declaration = /\.d\.[cm]?ts$/;
const maxSourceLength = 1_000_000;

/**
 * Lays a JavaScript file beside each TypeScript file and points the command and the imports at it.
 *
 * CommonJS is made, because it lets `./name` be imported without its ending, as TypeScript programs do; a tree that needs a
 * module (`await` at the top, `import.meta`, `"type": "module"`) gets modules. A file that can't be parsed is laid down with
 * its types, so that the engine's own syntax error is what the program's author sees.
 */
export function stripTree(files: readonly FileEntry[], command: Command): StrippedTree {
  const sources = files.filter((file) => isSource(file));
  if (sources.length === 0) return { files, command, restore: (after) => [...after] };
  const kind: ModuleKind = sources.some((file) => needsModule(file.content)) || saysModule(files) ? "module" : "commonjs";
  const names = new Map(sources.map((file) => [file.path, emittedName(file.path, kind)]));
  const made = new Map(sources.map((file) => [names.get(file.path) ?? file.path, stripFile(file, kind, names)]));
  const emitted = [...made].map(([path, content]): FileEntry => ({ path, encoding: "utf8", content }));
  const kept = files.filter((file) => !made.has(file.path));
  const shadowed = new Map(files.filter((file) => made.has(file.path)).map((file) => [file.path, file]));
  return {
    files: [...kept, ...emitted],
    command: { ...command, args: command.args.map((argument) => names.get(posix.normalize(argument)) ?? argument) },
    restore: (after) => after.flatMap((file) => (made.get(file.path) === file.content ? (shadowed.get(file.path) ?? []) : file)),
  };
}

/** JavaScript of a TypeScript source; lines keep their numbers. Returns the source itself when it can't be parsed. */
export function stripTypes(source: string, kind: ModuleKind = "module"): string {
  try {
    const transforms = kind === "module" ? (["typescript"] as const) : (["typescript", "imports"] as const);
    return transform(source, { transforms: [...transforms], disableESTransforms: true, preserveDynamicImport: true }).code;
  } catch {
    return source;
  }
}

function isSource(file: FileEntry): boolean {
  const isCode = typeScript.test(file.path) && !declaration.test(file.path);
  return isCode && file.encoding === "utf8" && file.content.length <= maxSourceLength;
}

function emittedName(path: string, kind: ModuleKind): string {
  const stem = path.replace(typeScript, "");
  if (path.endsWith(".cts")) return `${stem}.cjs`;
  return kind === "module" || path.endsWith(".mts") ? `${stem}.mjs` : `${stem}.js`;
}

function stripFile(file: FileEntry, kind: ModuleKind, names: ReadonlyMap<string, string>): string {
  const own: ModuleKind = file.path.endsWith(".mts") ? "module" : file.path.endsWith(".cts") ? "commonjs" : kind;
  return pointImports(stripTypes(file.content, own), file.path, names);
}

// Only compiles, never runs: a function body refuses exactly what CommonJS refuses.
function needsModule(source: string): boolean {
  try {
    new Script(`(function () {${stripTypes(source, "commonjs")}\n})`);
    return false;
  } catch (error) {
    return /await|import\.meta/.test(String(error));
  }
}

function saysModule(files: readonly FileEntry[]): boolean {
  const manifest = files.find((file) => file.path === "package.json");
  return manifest !== undefined && /"type"\s*:\s*"module"/.test(manifest.content);
}

const specifier = /(\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)(["'])(\.{1,2}\/[^"'\n]+)\2/g;

function pointImports(code: string, from: string, names: ReadonlyMap<string, string>): string {
  return code.replace(specifier, (whole, before: string, quote: string, target: string) => {
    const path = posix.normalize(posix.join(posix.dirname(from), target));
    const stem = path.replace(/\.[cm]?jsx?$/, "");
    const candidates = [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`, `${stem}.ts`, `${stem}.tsx`, `${stem}.mts`, `${stem}.cts`];
    const hit = candidates.map((name) => names.get(name)).find((name) => name !== undefined);
    if (hit === undefined) return whole;
    const relative = posix.relative(posix.dirname(from), hit);
    return `${before}${quote}${relative.startsWith(".") ? relative : `./${relative}`}${quote}`;
  });
}
