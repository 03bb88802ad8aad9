import { z } from "zod";

/** A path inside a workspace: relative, forward slashes, no `.` or `..` part, no drive, no NUL. */
export const workspacePath = z
  .string()
  .min(1)
  .max(512)
  .refine(isWorkspacePath, "must be a relative path inside the workspace")
  .describe("A relative path with forward slashes that stays inside the workspace");

/** One file of a tree. */
export const fileEntry = z
  .strictObject({
    path: workspacePath,
    encoding: z.enum(["utf8", "base64"]).default("utf8").describe("How `content` is written"),
    content: z.string().describe("The file's content"),
  })
  .describe("One file of a tree");

/** What passes between activations. */
export const artifact = z
  .discriminatedUnion("kind", [
    z.strictObject({ kind: z.literal("text"), text: z.string().describe("Plain text") }),
    z.strictObject({ kind: z.literal("files"), files: z.array(fileEntry).describe("The tree, sorted by path, each path once") }),
    z.strictObject({
      kind: z.literal("choice"),
      choice: z.string().describe("The chosen option"),
      reason: z.string().optional().describe("Why"),
    }),
    z.strictObject({ kind: z.literal("json"), value: z.json().describe("Any JSON value") }),
  ])
  .describe("What passes between activations");

/** The name of a stored artifact: its SHA-256 and what kind of thing it is. */
export const artifactRef = z
  .strictObject({
    hash: z
      .string()
      .regex(/^[0-9a-f]{64}$/)
      .describe("SHA-256 of the canonical JSON, in hex"),
    kind: z.enum(["text", "files", "choice", "json"]).describe("The artifact's kind"),
    bytes: z.number().int().nonnegative().describe("Length of the canonical JSON in bytes"),
  })
  .describe("The name of a stored artifact");

export type FileEntry = z.infer<typeof fileEntry>;
export type Artifact = z.infer<typeof artifact>;
export type ArtifactRef = z.infer<typeof artifactRef>;
export type ArtifactKind = Artifact["kind"];

/** What a critic's artifact holds (kind `json`). */
export const verdict = z
  .strictObject({
    verdict: z.enum(["accept", "revise"]).describe("`accept` ends the rounds of the edge"),
    critique: z.string().describe("What to change and how, or why nothing needs to change"),
  })
  .describe("What a critic answers");
export type Verdict = z.infer<typeof verdict>;

/** Whether a path is relative, normal and inside the folder it is joined to. */
export function isWorkspacePath(path: string): boolean {
  if (path.includes("\0") || path.includes("\\") || /^[A-Za-z]:/.test(path)) return false;
  return path.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

/** Files sorted by path, the last of equal paths kept: the one canonical order of a tree. */
export function sortFiles(files: readonly FileEntry[]): FileEntry[] {
  const byPath = new Map(files.map((file) => [file.path, file]));
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The canonical JSON of an artifact: keys sorted, no spaces, files sorted by path; what the SHA-256 is taken of. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
