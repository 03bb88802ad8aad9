import { spawnSync } from "node:child_process";
import type { FileEntry } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { stripTree, stripTypes } from "./strip-types.ts";

const file = (path: string, content: string): FileEntry => ({ path, encoding: "utf8", content });
const command = (...args: string[]) => ({ program: "node" as const, args });

describe("stripTypes()", () => {
  it("makes JavaScript that this Node runs, enums and parameter properties too", () => {
    const source = `
enum Unit { Metre = 1, Foot }
class Length { constructor(readonly value: number, private unit: Unit = Unit.Metre) {} show(): string { return this.value + Unit[this.unit]! } }
const all = <T,>(values: readonly T[]): T[] => [...values];
console.log(all([new Length(2).show()]) satisfies string[]);`;
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", stripTypes(source)], { encoding: "utf8" });
    expect(stderr).toBe("");
    expect(stdout).toBe("[ '2Metre' ]\n");
  });

  it("keeps the numbers of lines", () => {
    const source = "interface A {\n  a: number;\n}\ntype B = A;\nconst here: B = { a: 1 };";
    expect(stripTypes(source).split("\n")[4]).toContain("const here");
  });

  it("leaves what it can't parse to the engine", () => {
    expect(stripTypes("const = ;")).toBe("const = ;");
  });
});

describe("stripTree()", () => {
  it("touches nothing without TypeScript", () => {
    const files = [file("main.js", "1"), file("types.d.ts", "declare const x: number;")];
    const stripped = stripTree(files, command("main.js"));
    expect(stripped.files).toBe(files);
    expect(stripped.restore(files)).toEqual(files);
  });

  it("lays JavaScript beside, points command and imports at it, and takes it out again", () => {
    const files = [
      file("main.ts", 'import { add } from "./lib/add";\nimport { two } from "./lib/two.ts";\nconsole.log(add(two, 1));'),
      file("lib/add.ts", "export const add = (a: number, b: number): number => a + b;"),
      file("lib/two.ts", "export const two: number = 2;"),
    ];
    const { files: after, command: call, restore } = stripTree(files, command("--test", "./main.ts"));
    expect(call.args).toEqual(["--test", "main.js"]);
    expect(after.map((each) => each.path)).toEqual(["main.ts", "lib/add.ts", "lib/two.ts", "main.js", "lib/add.js", "lib/two.js"]);
    const main = after.find((each) => each.path === "main.js");
    expect(main?.content).toContain("require('./lib/add.js')");
    expect(main?.content).toContain("require('./lib/two.js')");
    expect(restore([...after, file("made.txt", "new")])).toEqual([...files, file("made.txt", "new")]);
  });

  it("gives back a JavaScript file that was in the way, unless the program wrote it", () => {
    const files = [file("main.ts", "const x: number = 1;"), file("main.js", "the old one")];
    const { files: after, restore } = stripTree(files, command("main.ts"));
    expect(after.filter((each) => each.path === "main.js")).toHaveLength(1);
    expect(restore(after)).toEqual(files);
    const written = after.map((each) => (each.path === "main.js" ? file("main.js", "the new one") : each));
    expect(restore(written)).toEqual([files[0], file("main.js", "the new one")]);
  });

  it.each([
    ["await at the top", [file("main.ts", "const x: number = await Promise.resolve(1);\nexport {};")]],
    ["import.meta", [file("main.ts", "console.log(import.meta.url as string);")]],
    ["a package of modules", [file("main.ts", "export const x: number = 1;"), file("package.json", '{ "type": "module" }')]],
  ])("makes modules for %s", (_name, files) => {
    expect(stripTree(files, command("main.ts")).command.args).toEqual(["main.mjs"]);
  });
});
