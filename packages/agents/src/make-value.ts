import type { Artifact, ChatAnswer } from "@troupe/schema";
import { readChoice } from "./answer/read-choice.ts";
import { readJson } from "./answer/read-json.ts";
import { readText } from "./answer/read-text.ts";
import { askUntilRead, type Unusable } from "./ask-until-read.ts";
import { choiceFormat, jsonFormat, textFormat } from "./prompts/answer-format.ts";
import type { ValueKind } from "./prompts/product-words.ts";
import type { Section } from "./prompts/sections.ts";
import type { Work } from "./work.ts";

/** Asks for a text, a choice or a JSON value, with one re-ask. */
export function makeValue(work: Work, kind: ValueKind, job: readonly Section[]): Promise<Artifact> {
  const { choices } = work.context.task;
  switch (kind) {
    case "text":
      return askUntilRead(work, [...job, textFormat], toText);
    case "json":
      return askUntilRead(work, [...job, jsonFormat], toJson);
    case "choice":
      return askUntilRead(work, [...job, choiceFormat(choices)], (answer) => toChoice(answer, choices));
  }
}

function toText({ text }: ChatAnswer): Artifact | Unusable {
  const read = readText(text);
  return read === undefined ? { unusable: "it was empty." } : { kind: "text", text: read };
}

function toJson({ text }: ChatAnswer): Artifact | Unusable {
  const value = readJson(text);
  return value === undefined ? { unusable: text.trim() === "" ? "it was empty." : "it holds no JSON." } : { kind: "json", value };
}

function toChoice({ text }: ChatAnswer, choices: readonly string[] | undefined): Artifact | Unusable {
  const read = readChoice(text, choices);
  if (read === undefined) return { unusable: text.trim() === "" ? "it was empty." : "it names no single option." };
  return { kind: "choice", choice: read.choice, ...(read.reason === "" || read.reason === read.choice ? {} : { reason: read.reason }) };
}
