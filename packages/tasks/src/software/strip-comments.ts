// A part that is never closed goes on to the end of its line or of the text, so that no text makes the patterns slow.
const pythonParts =
  /("""|''')(?:\\[\s\S]|(?!\1)[^\\])*\\?(?:\1|(?![\s\S]))|"(?:\\.|[^"\\\n])*\\?(?:"|$)|'(?:\\.|[^'\\\n])*\\?(?:'|$)|#[^\n]*/gm;
const scriptParts =
  /`(?:\\[\s\S]|[^`\\])*\\?(?:`|(?![\s\S]))|"(?:\\.|[^"\\\n])*\\?(?:"|$)|'(?:\\.|[^'\\\n])*\\?(?:'|$)|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|(?<=(?:^|[(,=:[!&|?{};]|\breturn)[ \t]{0,40})\/(?![*/])(?:\\.|\[(?:\\.|[^\]\\\n]){0,200}\]|[^/\\[\n]){1,400}\//gm;

/**
 * The code of a file without comments, docstrings and empty lines; what stands in strings stays.
 *
 * It reads tokens, no grammar: a comment inside a template inside a template of JavaScript may be missed.
 */
export function stripComments(path: string, source: string): string {
  const code = path.endsWith(".py") ? stripPython(source) : stripScript(source);
  const lines = code.split(/\r\n|\n|\r/).map((line) => line.trimEnd());
  return lines.filter((line) => line !== "").join("\n");
}

function stripPython(source: string): string {
  return source.replace(pythonParts, (part: string, quote: string | undefined, at: number) => {
    if (part.startsWith("#")) return "";
    return quote !== undefined && standsAlone(source, at, at + part.length) ? "" : part;
  });
}

/** Characters around a string that are looked at. */
const mostIndent = 400;

/** A string that is a statement of its own says something to people only. */
function standsAlone(source: string, begin: number, end: number): boolean {
  const before = source.slice(Math.max(0, begin - mostIndent), begin);
  const indent = /(?:^|\n)[ \t]*[rbuRBU]?$/.exec(before)?.[0];
  const after = source.slice(end, end + mostIndent);
  if (indent === undefined || !/^[ \t\r;]*(?:#|\n|$)/.test(after)) return false;
  // Within brackets, or after an operator, it is part of an expression.
  return !/[([{,=+%\\]$/.test(before.slice(0, before.length - indent.length).trimEnd());
}

function stripScript(source: string): string {
  return source.replace(scriptParts, (part) => (part.startsWith("//") || part.startsWith("/*") ? " " : part));
}
