import { type Artifact, canonicalJson } from "@troupe/schema";

/** What must come of a graph in which nobody's being faster matters. */
export interface Expected {
  readonly kind: "completed" | "deadlocked" | "failed";
  readonly product: Artifact | undefined;
  /** Names of all activations, sorted; after a failure those that there may have been at most. */
  readonly acts: readonly string[];
}

/** Only an artifact of the task's kind may go on instead of an answer that can't be used. */
export function onlyText(artifact: Artifact): Artifact | undefined {
  return artifact.kind === "text" ? artifact : undefined;
}

/** An artifact as an element of a list. */
export function plainValueOf(artifact: Artifact) {
  if (artifact.kind === "json") return artifact.value;
  return artifact.kind === "text" ? artifact.text : artifact.kind === "choice" ? artifact.choice : null;
}

/** What a split makes of an artifact; undefined: it is no list. */
export function itemsOf(artifact: Artifact, by: "items" | "lines"): Artifact[] | undefined {
  if (by === "lines") {
    if (artifact.kind !== "text") return undefined;
    return artifact.text.split("\n").flatMap((line) => (line === "" ? [] : [{ kind: "text", text: line } as const]));
  }
  if (artifact.kind !== "json") return undefined;
  const { value } = artifact;
  const list = Array.isArray(value) ? value : typeof value === "object" && value !== null ? value["list"] : undefined;
  if (!Array.isArray(list)) return undefined;
  return list.map((item) => (typeof item === "string" ? { kind: "text", text: item } : { kind: "json", value: item }));
}

/** The most frequent answer, of equally frequent ones the one that came first. */
export function elect(votes: readonly Artifact[], compare: "answer" | "exact"): Artifact | undefined {
  const keys = votes.map((vote) => {
    if (vote.kind === "json") return canonicalJson(compare === "exact" ? vote : vote.value);
    const text = vote.kind === "text" ? vote.text : vote.kind === "choice" ? vote.choice : "";
    return compare === "exact" ? text : (text.split("\n").at(-1) ?? "").replace("answer: ", "");
  });
  const countOf = (key: string) => keys.filter((other) => other === key).length;
  const most = Math.max(0, ...keys.filter((key) => key !== "").map(countOf));
  const winner = votes.find((_, i) => keys[i] !== "" && countOf(keys[i] ?? "") === most);
  return winner;
}
