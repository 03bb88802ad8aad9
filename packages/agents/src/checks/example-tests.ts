import { entryOf, type FileEntry, type PublicTask } from "@troupe/schema";

/** A call that a task shows, and what must come of it. */
export interface TaskExample {
  readonly args: readonly string[];
  /** What it prints, without the white space at both ends. */
  readonly output?: string;
  readonly exitCode?: number;
}

/** Path of the test that {@link exampleTests} writes. */
const examplesPath = "test_examples_of_the_task.py";

const call = /^(\s*)(?:\$ )?python3? (\S+\.py)((?:[ \t]+(?:"[^"]*"|'[^']*'|[^\s"']+))*?)[ \t]{2,}(prints|->|→|=>|exit code)[ \t]+(\S.*)$/;

/**
 * The calls of a program that a task shows with what comes of them, one a line, in order: `python main.py 5 km mi   prints 3.1069`, also with
 * an arrow, or `python main.py x   exit code 1`; two spaces before the words. Further lines of an output stand below it, as far to the right.
 *
 * @returns none when any such line can't be read without guessing.
 */
export function readExamples(prompt: string, entry: string): TaskExample[] {
  const examples: TaskExample[] = [];
  const lines = prompt.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? "";
    const found = call.exec(line);
    if (found === null) continue;
    const [, , file, words = "", verb, rest = ""] = found;
    if (file !== entry) return [];
    const args = [...words.matchAll(/"([^"]*)"|'([^']*)'|([^\s"']+)/g)].map(([, double, single, bare]) => double ?? single ?? bare ?? "");
    if (args.some(isPlaceholder)) continue;
    if (verb === "exit code") {
      const code = /^\d{1,3}\b/.exec(rest)?.[0];
      if (code === undefined) return [];
      examples.push({ args, exitCode: Number(code) });
      continue;
    }
    const below = continuation(lines.slice(at + 1), line.length - rest.length);
    at += below.length;
    examples.push({
      args,
      output: [rest, ...below]
        .map((text) => text.trimEnd())
        .join("\n")
        .trim(),
    });
  }
  return examples;
}

/** `VALUE`, `<file>` and the like stand for something: such a line tells how to call, and is no call. */
function isPlaceholder(arg: string): boolean {
  return /^[A-Z][A-Z_]+$|^[<[].*[>\]]$|^\.{3}$|^…$/.test(arg);
}

/** Lines that begin exactly where the output above them does. */
function continuation(lines: readonly string[], column: number): string[] {
  const end = lines.findIndex((line) => line.length <= column || line.slice(0, column).trim() !== "" || line[column] === " ");
  return lines.slice(0, end < 0 ? lines.length : end).map((line) => line.slice(column));
}

/** A test of the calls that a Python task shows, one after another in one folder; undefined when it shows none. */
export function exampleTests(task: PublicTask): FileEntry | undefined {
  if (task.language !== "python") return undefined;
  const entry = entryOf(task);
  const examples = readExamples(task.prompt, entry);
  if (examples.length === 0) return undefined;
  const content = `import subprocess
import sys
import unittest


def run(*args):
    return subprocess.run([sys.executable, ${JSON.stringify(entry)}, *args], input="", capture_output=True, text=True)


class ExamplesOfTheTask(unittest.TestCase):
    def test_examples(self):
${examples.map((example) => `        ${assertion(example)}`).join("\n")}


if __name__ == "__main__":
    unittest.main()
`;
  return { path: examplesPath, encoding: "utf8", content };
}

function assertion({ args, output, exitCode }: TaskExample): string {
  const words = args.map((arg) => JSON.stringify(arg)).join(", ");
  if (exitCode !== undefined) return `self.assertEqual(run(${words}).returncode, ${exitCode})`;
  return `self.assertEqual(run(${words}).stdout.strip(), ${JSON.stringify(output)})`;
}
