import type { Language } from "@troupe/schema";

const tags: Record<Language, RegExp> = {
  python: /^(python[0-9.]*|py[0-9]?|python-?code|ipython)$/,
  javascript: /^(javascript|js|node|nodejs|mjs|cjs|jsx)$/,
  typescript: /^(typescript|ts|tsx|mts)$/,
};

// Lines are trimmed and cut before they meet a pattern, and no two repeats of a pattern overlap, so that no text makes them slow.
const pythonLine =
  /^(@\w|(async )?def \w|class \w|import \w|from [\w.]+ import|(if|elif|while|for|with|try|else|except|finally)\b.*:|return\b|raise\b|assert\b|pass$|[\w.]+\(|[\w.]+(, ?[\w.]+)* ?[-+*/%|&]?=(?!=)|[\w.]+\[[^\]]*\] ?[-+*/%|&]?=(?!=)|#|"""|'''|[)\]}])/;
const scriptLine =
  /^(import\b|export\b|(const|let|var) [\w{[]|(async )?function\b|class \w|interface \w|type \w+ =|(if|for|while|switch|catch) ?\(|return\b|throw\b|try\b|[\w.]+\(|[\w.]+ ?=(?!=)|\/\/|\/\*|\*|[)\]}]|['"]use strict)/;
const pythonStart =
  /^(#|"""|'''|@\w|(async )?def \w+ ?\(|class \w+.*:|import [\w., ]+$|import \w+ as|from [\w.]+ import\b|if __name__|[A-Za-z_]\w* = |print\()/;
const scriptStart =
  /^(#!|\/\/|\/\*|import\b.*['"]|export\b|const\b|let\b|var\b|(async )?function\b|class\b|interface\b|type \w+ =|['"]use strict|console\.)/;
const shellTag = /^(bash|sh|shell|zsh|fish|console|terminal|cmd|bat|powershell|ps1|shell-?session|shellscript|output|stdout|log)$/;
const shellLine = /^((\$|>|C:\\.{0,80}>) |(python3?|node|pip3?|npm|npx|cd|mkdir|touch|git|ls|cat|echo|pytest|chmod|sudo) [\w./-])/;
const testLine =
  /^(import (unittest|pytest)\b|from unittest\b|class \w+\((unittest\.)?TestCase\)|def test_\w+\(|(describe|test|it)\()|['"]node:test['"]/;

/** Whether a fence's tag is that of a language. */
export function isTagOf(language: Language, info: string): boolean {
  return tags[language].test(tagOf(info));
}

/** The first word of an info string, without braces, dots and what follows a colon. */
export function tagOf(info: string): string {
  return (/^[{. ]*([\w+#.-]+)/.exec(info)?.[1] ?? "").toLowerCase();
}

/** Whether most lines look like code of a language. */
export function looksLikeCode(language: Language, lines: readonly string[]): boolean {
  const written = lines.filter((line) => line.trim() !== "");
  if (written.length === 0 || isJson(written.join("\n"))) return false;
  const pattern = language === "python" ? pythonLine : scriptLine;
  const isCode = (line: string) => !isProse(line) && (/^\s{2,}\S/.test(line) || pattern.test(start(line)));
  return written.filter(isCode).length / written.length >= 0.7 && written.some((line) => startsCode(language, line));
}

/** Whether a line is how code of a language can begin. */
export function startsCode(language: Language, line: string): boolean {
  return (language === "python" ? pythonStart : scriptStart).test(start(line));
}

/** Whether a line reads like a sentence. */
export function isProse(line: string): boolean {
  const text = line.slice(0, 200);
  return /^(?:[-*] |\d+\. )?[A-Z"'*`][\w'’`*-]*(?:,? [\w'’`*()/"-]+){3}/.test(text) && !/[=;{}[\]]|\)$/.test(text);
}

/** Whether a block is a list of changes, not a file. */
export function looksLikeDiff(info: string, lines: readonly string[]): boolean {
  if (/^(diff|patch)$/.test(tagOf(info))) return true;
  const marked = lines.filter((line) => /^[-+]/.test(line)).length;
  return marked >= 2 && lines.some((line) => /^(@@ |--- \S|\+\+\+ \S)/.test(line));
}

/** Whether a block shows what to type into a terminal, or what a program prints. */
export function looksLikeShell(info: string, lines: readonly string[]): boolean {
  if (shellTag.test(tagOf(info))) return true;
  const written = lines.map(start).filter((line) => line !== "");
  // A session of the interpreter begins with its prompt; further down it is an example in a docstring.
  if (written[0]?.startsWith(">>> ") === true) return true;
  const typed = written.filter((line) => shellLine.test(line)).length;
  return typed > 0 && typed * 2 >= written.length;
}

/** The names that code defines at its top level. */
export function definitions(lines: readonly string[]): Set<string> {
  const names = lines.map((line) => /^(?:export )?(?:async )?(?:def|class|function) (\w+)/.exec(line)?.[1]);
  return new Set(names.filter((name) => name !== undefined));
}

/** Whether code imports a module of its own folder, named by its file without extension. */
export function importsModule(stem: string, lines: readonly string[]): boolean {
  const name = stem.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = new RegExp(
    String.raw`^(from ${name} import\b|import ${name}\b)|(from |require\(|import\()['"]\./${name}(\.[cm]?[jt]s)?['"]`,
  );
  return lines.some((line) => pattern.test(start(line)));
}

/** Whether code is a file of tests. */
export function looksLikeTests(lines: readonly string[]): boolean {
  return lines.some((line) => testLine.test(start(line)));
}

/** Whether code holds tests and nothing that they could test. */
export function looksLikeOnlyTests(lines: readonly string[]): boolean {
  return looksLikeTests(lines) && !lines.some((line) => /^(async )?(def|function) (?!test)|^class (?!\w*Test)/.test(line));
}

function start(line: string): string {
  return line.slice(0, 400).trim().slice(0, 200);
}

function isJson(text: string): boolean {
  if (!/^[[{]/.test(text.trimStart())) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
