import type { Artifact } from "@troupe/schema";

type JsonArtifact = Extract<Artifact, { kind: "json" }>;

/** A value as an artifact: what JSON can't hold is left out. */
export function jsonArtifact(value: unknown): JsonArtifact {
  return { kind: "json", value: JSON.parse(JSON.stringify(value)) as JsonArtifact["value"] };
}
