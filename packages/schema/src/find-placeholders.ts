import type { FileEntry } from "./artifact.ts";

/** What a comment says where the code is still to be written; "Todo list" alone is what a program may be about. */
const openComments = [
  /^\s*(?:#|\/\/|\/\*)\s*(?:TODO(?:[:(]|\s*$| (?:implement|add|fix|handle|write|finish|complete)\b)|FIXME\b|placeholder\b)/,
  /^\s*(?:#|\/\/|\/\*)\s*(?:implement(?:ation)?|add|write|put|insert|your)\b.{0,60}\b(?:here|later)[\s.:)!*/]*$/i,
];
const openBody = /^(?:pass|\.\.\.|return NotImplemented|raise NotImplementedError\b.*|throw new Error\(["'`]not implemented.*)\s*;?$/i;

/**
 * Places where a model left code for later: functions whose body is only `pass` or `raise NotImplementedError`,
 * and comments such as "implement the logic here". At most five, as `path:line: text`.
 */
export function findPlaceholders(files: readonly FileEntry[]): string[] {
  const found: string[] = [];
  for (const { path, content } of files.filter((file) => /\.(py|[cm]?[jt]s)$/.test(file.path))) {
    const lines = content.split(/\r\n|\n|\r/);
    for (const [index, line] of lines.entries()) {
      if (openComments.some((pattern) => pattern.test(line)) || isEmptyFunction(lines, index))
        found.push(`${path}:${index + 1}: ${line.trim().slice(0, 120)}`);
      if (found.length === 5) return found;
    }
  }
  return found;
}

/** Whether a Python function begins here whose whole body leaves the work open. */
function isEmptyFunction(lines: readonly string[], index: number): boolean {
  const start = /^(\s*)(?:async )?def (?!__)\w+\(.*:\s*(.*)$/.exec((lines[index] ?? "").slice(0, 400));
  if (start === null || /@(abc\.)?(abstractmethod|overload)/.test(lines[index - 1] ?? "")) return false;
  const [, indent = "", rest = ""] = start;
  const inline = withoutComment(rest);
  const body = inline === "" ? withoutDocstring(bodyAfter(lines, index, indent.length)) : [inline];
  const code = body.map(withoutComment).filter((line) => line !== "");
  return code.length === 1 && code.every((line) => openBody.test(line));
}

/** The written lines of a block that is indented deeper, as far as they tell whether it is empty. */
function bodyAfter(lines: readonly string[], index: number, indent: number): string[] {
  const after = lines.slice(index + 1, index + 40).filter((line) => line.trim() !== "");
  const end = after.findIndex((line) => line.length - line.trimStart().length <= indent);
  return after.slice(0, end < 0 ? undefined : end).map((line) => line.trim());
}

function withoutComment(line: string): string {
  return line.replace(/#.*$/, "").trim();
}

function withoutDocstring(body: readonly string[]): readonly string[] {
  const quote = /^[rub]?("""|''')/i.exec(body[0] ?? "")?.[1];
  if (quote === undefined) return body;
  const isOneLine = (body[0] ?? "").indexOf(quote, 4) > 0;
  const end = isOneLine ? 0 : body.findIndex((line, index) => index > 0 && line.endsWith(quote));
  return end < 0 ? body : body.slice(end + 1);
}
