import { productFiles } from "@troupe/runtime";
import type { Artifact } from "@troupe/schema";
import { createTwoFilesPatch } from "diff";
import type { Colors } from "./colors.ts";
import { plainText } from "./terminal-text.ts";

/** The unified diff of two artifacts, file by file, as lines; empty when they are the same. */
export function diffArtifacts(before: Artifact, after: Artifact, colors: Colors): string[] {
  const old = contentsOf(before);
  const now = contentsOf(after);
  const paths = [...new Set([...old.keys(), ...now.keys()])].sort();
  return paths.flatMap((path) => {
    const [a, b] = [old.get(path), now.get(path)];
    if (a === b) return [];
    const patch = createTwoFilesPatch(
      a === undefined ? "/dev/null" : `a/${path}`,
      b === undefined ? "/dev/null" : `b/${path}`,
      a ?? "",
      b ?? "",
    );
    return plainText(patch)
      .trimEnd()
      .split("\n")
      .slice(1)
      .map((line) => paint(line, colors));
  });
}

function contentsOf(artifact: Artifact): Map<string, string> {
  return new Map(productFiles(artifact).map(({ path, content }) => [path, content]));
}

function paint(line: string, colors: Colors): string {
  if (line.startsWith("+++") || line.startsWith("---")) return colors.bold(line);
  if (line.startsWith("@@")) return colors.cyan(line);
  if (line.startsWith("+")) return colors.green(line);
  return line.startsWith("-") ? colors.red(line) : line;
}
