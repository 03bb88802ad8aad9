import { type Artifact, type SplitBy, TroupeError } from "@troupe/schema";

/**
 * The items of an artifact that a map or reduce edge splits.
 *
 * `items`: the elements of a JSON list (also of an object's only list, and of a text that is such JSON), or the numbered folders that
 * {@link joinItems} makes. `lines`: the lines of a text that are not blank, without list marks. `files`: each file of a tree.
 *
 * @throws TroupeError `list_invalid` when it can't be split so, or has more than `most` items.
 */
export function splitArtifact(artifact: Artifact, { by, most }: { by: SplitBy; most: number }): Artifact[] {
  const items = { items: itemsOf, lines: linesOf, files: filesOf }[by](artifact);
  if (items === undefined)
    throw new TroupeError(
      "list_invalid",
      `It was to be split by ${by}, but ${artifact.kind} like this can't be: expected ${expected[by]}.`,
    );
  if (items.length > most)
    throw new TroupeError(
      "list_invalid",
      `It has ${items.length} items, but at most ${most} may be worked on. Raise \`most\` of the edge, or ask for fewer.`,
    );
  return items;
}

/** How deep JSON in a text may be nested: what is deeper can't be written again. */
const mostDepth = 200;

const expected = {
  items: `a JSON list (nested at most ${mostDepth} deep), or a tree of numbered folders`,
  lines: "a text",
  files: "a tree of files",
} as const satisfies Record<SplitBy, string>;

/** The results of a map edge as one artifact: a JSON list, or for trees a tree with a numbered folder for each; what `items` splits again. */
export function joinItems(results: readonly Artifact[]): Artifact {
  if (results.length > 0 && results.every((result) => result.kind === "files")) {
    return {
      kind: "files",
      files: results.flatMap((result, i) => result.files.map((file) => ({ ...file, path: `${i + 1}/${file.path}` }))),
    };
  }
  return { kind: "json", value: results.map(plainValueOf) };
}

function plainValueOf(artifact: Artifact) {
  switch (artifact.kind) {
    case "text":
      return artifact.text;
    case "choice":
      return artifact.choice;
    case "json":
      return artifact.value;
    case "files":
      return Object.fromEntries(artifact.files.map(({ path, content }) => [path, content]));
  }
}

function itemsOf(artifact: Artifact): Artifact[] | undefined {
  if (artifact.kind === "files") return foldersOf(artifact.files);
  const value = artifact.kind === "json" ? artifact.value : artifact.kind === "text" ? parse(artifact.text) : undefined;
  const list = Array.isArray(value) ? value : onlyList(value);
  return list?.map((item) => (typeof item === "string" ? { kind: "text", text: item } : { kind: "json", value: item }));
}

function linesOf(artifact: Artifact): Artifact[] | undefined {
  if (artifact.kind !== "text") return undefined;
  const lines = artifact.text.split(/\r?\n/).map((line) => line.replace(/^\s*(?:[-*•]|\d+[.)])\s+/, "").trim());
  return lines.filter((text) => text !== "").map((text) => ({ kind: "text", text }));
}

function filesOf(artifact: Artifact): Artifact[] | undefined {
  return artifact.kind === "files" ? artifact.files.map((file) => ({ kind: "files", files: [file] })) : undefined;
}

function foldersOf(files: Extract<Artifact, { kind: "files" }>["files"]): Artifact[] | undefined {
  const folders = new Map<number, { path: string; encoding: "utf8" | "base64"; content: string }[]>();
  for (const file of files) {
    const [, number, path] = /^([1-9]\d{0,5})\/(.+)$/s.exec(file.path) ?? [];
    if (number === undefined || path === undefined) return undefined;
    const folder = folders.get(Number(number)) ?? [];
    folders.set(Number(number), folder);
    folder.push({ ...file, path });
  }
  return [...folders].sort(([a], [b]) => a - b).map(([, inside]) => ({ kind: "files", files: inside }));
}

type Json = Extract<Artifact, { kind: "json" }>["value"];

/** A text as JSON; undefined when it is none, or none that can be kept. */
function parse(text: string): Json | undefined {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
  let level: Json[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > mostDepth) return undefined;
    level = level.flatMap((one) => (typeof one === "object" && one !== null ? Object.values(one) : []));
  }
  return value;
}

/** Models like to put a list under a name. */
function onlyList(value: Json | undefined): Json[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const lists = Object.values(value).filter((inner) => Array.isArray(inner));
  return lists.length === 1 ? lists[0] : undefined;
}
