import { type FileEntry, fileEntry } from "@troupe/schema";
import { contentOf, maxFiles, toFileEntry } from "../prepare-program.ts";
import { isKept } from "../tree-stream.ts";
import type { ChildReport } from "./channel.ts";

const ends: readonly string[] = ["exited", "timeout", "memory"] satisfies readonly ChildReport["ended"][];

/**
 * Reads what a walled child sent: the line `ready`, then one line with its report.
 *
 * @returns undefined for anything that is not a report, or not a whole one.
 */
export function parseReport(bytes: Buffer): ChildReport | undefined {
  const line = bytes.toString("utf8").split("\n")[1];
  const value = line === undefined ? undefined : parseJson(line);
  if (!isRecord(value) || !Array.isArray(value["files"])) return undefined;
  const { ended, exitCode } = value;
  if (!isEnd(ended) || typeof exitCode !== "number" || !Number.isInteger(exitCode)) return undefined;
  return { ended, exitCode: exitCode & 0xff, files: value["files"].slice(0, maxFiles).flatMap(parseFile) };
}

function parseFile(value: unknown): FileEntry[] {
  const parsed = fileEntry.safeParse(value);
  if (!parsed.success || !isKept(parsed.data.path)) return [];
  return [toFileEntry(parsed.data.path, contentOf(parsed.data))];
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

function isEnd(value: unknown): value is ChildReport["ended"] {
  return typeof value === "string" && ends.includes(value);
}
