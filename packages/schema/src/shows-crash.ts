/** Whether what a program wrote shows that it crashed: a traceback of Python, or an error with its stack of Node. */
export function showsCrash(output: string): boolean {
  return /Traceback \(most recent call last\)|^\s*(\w+Error|SyntaxError)\b.*:|^\s+at .+:\d+:\d+\)?$/m.test(output);
}

/** Whether a Python program ended because it asked for input that was not there. */
export function lackedInput(output: string): boolean {
  return /^EOFError\b/m.test(output);
}
