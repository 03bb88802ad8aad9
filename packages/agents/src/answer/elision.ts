const leftOut = [
  /^(the )?(rest|remainder) of (the |your |this )?(code|file|program|function|class|implementation|script|tests?|methods?)\b/,
  /^(the )?(existing|previous|remaining|unchanged|other) (code|functions|methods|tests|imports|classes|implementations?)( (here|above|below|unchanged|omitted))?$/,
  /^(the )?(existing|previous|remaining|other|code|functions|methods|tests|imports|classes)\b.* (remains?|stays?|are|is) (the same|unchanged|as is|omitted)/,
  /^(same|unchanged) as (before|above)/,
  /^(code|functions|methods|everything else) (unchanged|omitted|as before)/,
];

/**
 * The first line that stands for code which the model left out, such as `# ... rest of the code`.
 * A file with such a line is not the whole file.
 */
export function findElision(lines: readonly string[]): string | undefined {
  return lines.find(isElision)?.trim();
}

function isElision(line: string): boolean {
  const comment = /^(#|\/\/|\/\*|<!--)(.*)$/.exec(line.slice(0, 200).trim())?.[2]?.trim();
  if (comment === undefined) return false;
  const words = comment.replace(/^[.…\s([]+|[.…\s)\]*/]+$/g, "").toLowerCase();
  if (words === "") return /\.\.\.|…/.test(comment);
  return (
    leftOut.some((pattern) => pattern.test(words)) ||
    (/^(\.\.\.|…)/.test(comment) && /same|unchanged|omitted|rest|existing|previous/.test(words))
  );
}
