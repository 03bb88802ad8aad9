import type { Artifact, FileEntry } from "@troupe/schema";
import type { Section } from "./sections.ts";

/** How important what is shown is; see {@link Section.weight}. */
export const weights = { context: 1, otherFiles: 2, tests: 3, output: 4, critique: 5, entry: 6, task: 7 } as const;

/** A tree as sections: one fence for each file with its path before it, the entry first. */
export function showFiles(title: string, files: readonly FileEntry[], entry: string, weight?: number): Section[] {
  const ordered = [...files].sort((a, b) => Number(b.path === entry) - Number(a.path === entry));
  const sections = ordered.map((file): Section => {
    const fence = fenceFor(file.content);
    if (file.encoding === "base64") return { text: `${file.path} (binary, ${file.content.length} characters of base64, not shown)` };
    return {
      head: `${file.path}\n${fence}${tagFor(file.path)}\n`,
      text: file.content.trimEnd(),
      tail: `\n${fence}`,
      weight: weight ?? (file.path === entry ? weights.entry : weights.otherFiles),
    };
  });
  return [{ text: title }, ...sections];
}

/** Any artifact as sections. */
export function showArtifact(title: string, artifact: Artifact, entry: string, weight?: number): Section[] {
  switch (artifact.kind) {
    case "files":
      return showFiles(title, artifact.files, entry, weight);
    case "text":
      return [{ head: `${title}\n`, text: artifact.text.trim(), weight: weight ?? weights.context }];
    case "choice":
      return [
        {
          head: `${title}\n`,
          text: [artifact.choice, ...(artifact.reason === undefined ? [] : ["How it was found:", artifact.reason])].join("\n"),
          weight: weight ?? weights.context,
        },
      ];
    case "json":
      return [
        { head: `${title}\n\`\`\`json\n`, text: JSON.stringify(artifact.value, null, 2), tail: "\n```", weight: weight ?? weights.context },
      ];
  }
}

/** The tag of a file's fence. */
export function tagFor(path: string): string {
  const extension = /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? "";
  const tags: Record<string, string> = {
    py: "python",
    js: "javascript",
    mjs: "javascript",
    cjs: "javascript",
    ts: "typescript",
    md: "markdown",
    txt: "text",
  };
  return tags[extension] ?? extension;
}

/** A fence longer than any inside the text. */
function fenceFor(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/^\s*(`{3,})/gm)].map((match) => match[1]?.length ?? 0));
  return "`".repeat(longest + 1);
}
