import { createHash } from "node:crypto";
import { canonicalJson, type ChatRequest } from "@troupe/schema";

/** SHA-256, in hex, of a request's canonical JSON. */
export function requestHash(request: ChatRequest): string {
  return createHash("sha256").update(canonicalJson(request)).digest("hex");
}
