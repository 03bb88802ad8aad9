const words = process.argv.slice(2);

/** Small sizes, for a look within two minutes. */
export const quick = words.includes("--quick");

/** Whether standard output is for a program. */
export const json = words.includes("--json");

/** The value of `--name VALUE`; undefined when it isn't there. */
export function option(name) {
  const at = words.indexOf(`--${name}`);
  return at === -1 ? undefined : words[at + 1];
}
