import { publicTask } from "@troupe/schema";
import { expect, it } from "vitest";
import { exampleTests, readExamples } from "./example-tests.ts";

const prompt = `A list of things to do.

Example, one call after the other:

    python main.py list              prints  Nothing to do
    python main.py add "buy milk"    prints  Added 1: buy milk
    python main.py list              prints  1 [x] buy milk
                                             2 [ ] call Ann
    python main.py done 99           exit code 1
    python main.py                   exit code 2
    $ python main.py -3 ft in  -> -36.0000
`;

it("readExamples() reads calls, their outputs of several lines, and exit codes", () => {
  expect(readExamples(prompt, "main.py")).toEqual([
    { args: ["list"], output: "Nothing to do" },
    { args: ["add", "buy milk"], output: "Added 1: buy milk" },
    { args: ["list"], output: "1 [x] buy milk\n2 [ ] call Ann" },
    { args: ["done", "99"], exitCode: 1 },
    { args: [], exitCode: 2 },
    { args: ["-3", "ft", "in"], output: "-36.0000" },
  ]);
});

it("readExamples() leaves alone what only speaks of a call, and all when one is of another program or can't be read", () => {
  expect(
    readExamples("It is called as\n\n    python main.py VALUE FROM TO\n\nand `python main.py 3` prints the three.", "main.py"),
  ).toEqual([]);
  expect(
    readExamples("    python main.py VALUE FROM TO   prints the result\n    python main.py <file>  -> its lines\n", "main.py"),
  ).toEqual([]);
  expect(readExamples(`${prompt}    python other.py x   prints y\n`, "main.py")).toEqual([]);
  expect(readExamples("    python main.py x   exit code of the shell\n", "main.py")).toEqual([]);
});

it("exampleTests() writes them as one test, in order, with strings that can't leave their quotes", () => {
  const task = publicTask.parse({ id: "t", prompt: `${prompt}    python main.py 'say "hi"'   prints  "hi" \\ there\n` });
  const lines = exampleTests(task)?.content.split("\n") ?? [];
  expect(lines.filter((line) => line.includes("assertEqual"))).toHaveLength(7);
  expect(lines).toContain('        self.assertEqual(run("list").stdout.strip(), "1 [x] buy milk\\n2 [ ] call Ann")');
  expect(lines).toContain('        self.assertEqual(run("say \\"hi\\"").stdout.strip(), "\\"hi\\" \\\\ there")');
  expect(exampleTests(publicTask.parse({ id: "t", prompt: "Nothing is shown." }))).toBeUndefined();
  expect(exampleTests(publicTask.parse({ id: "t", prompt, language: "javascript" }))).toBeUndefined();
});
