/** Fewer words are found in any task by chance. */
const leastWords = 5;
const quoted = /"([^"]+)"|“([^”]+)”|'([^']{20,})'|`([^`]+)`/g;

/**
 * Whether a critique quotes the task: some quotation of at least five words stands in the task, whatever its case, spaces and punctuation.
 *
 * @example
 * quotesTask('"prints the number of lines": it prints words', "The program prints the number of lines."); // true
 */
export function quotesTask(critique: string, task: string): boolean {
  const whole = ` ${wordsOf(task).join(" ")} `;
  return [...critique.matchAll(quoted)].some((match) => {
    const words = wordsOf(match.slice(1).join(" "));
    return words.length >= leastWords && whole.includes(` ${words.join(" ")} `);
  });
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
