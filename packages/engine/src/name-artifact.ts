import { createHash } from "node:crypto";
import { type Artifact, type ArtifactRef, canonicalJson, sortFiles } from "@troupe/schema";

/** An artifact's canonical JSON, and the name that it has in every store. */
export function nameArtifact(artifact: Artifact): { readonly ref: ArtifactRef; readonly json: string } {
  const json = canonicalJson(artifact.kind === "files" ? { ...artifact, files: sortFiles(artifact.files) } : artifact);
  const hash = createHash("sha256").update(json).digest("hex");
  return { ref: { hash, kind: artifact.kind, bytes: Buffer.byteLength(json) }, json };
}
