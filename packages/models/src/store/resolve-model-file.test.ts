import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hubSource, makeContent, makeFolder, makeModel } from "../../../../test/support/model-store.ts";
import { listModels } from "./list-models.ts";
import { type ResolveOptions, resolveModelFile } from "./resolve-model-file.ts";

const content = makeContent(5000);
const model = makeModel(content, [hubSource]);
const { signal } = new AbortController();

async function setUp(): Promise<{ dir: string; options: ResolveOptions }> {
  const dir = await makeFolder();
  return { dir, options: { dir, env: {}, signal, base: dir, models: [model] } };
}

test("resolveModelFile() finds a catalogue name in the store", async () => {
  const { dir, options } = await setUp();
  await writeFile(join(dir, "tiny.gguf"), content);
  expect(await resolveModelFile("tiny", options)).toBe(join(dir, "tiny.gguf"));
});

test("resolveModelFile() finds a catalogue name where TROUPE_MODEL_PATH says", async () => {
  const { options } = await setUp();
  const mine = await makeFolder();
  await writeFile(join(mine, "tiny.gguf"), content);
  expect(await resolveModelFile("tiny", { ...options, env: { TROUPE_MODEL_PATH: mine } })).toBe(join(mine, "tiny.gguf"));
});

test("resolveModelFile() says how to get a model that is not here", async () => {
  const { options } = await setUp();
  await expect(resolveModelFile("tiny", options)).rejects.toMatchObject({
    code: "model_unavailable",
    message: expect.stringMatching(
      /^The model tiny is not here: .*tiny\.gguf is not there\. Get it with `troupe models pull tiny` \(5 kB\)\.$/,
    ),
  });
  const env = { TROUPE_MODEL_PATH: "/nowhere" };
  await expect(resolveModelFile("tiny", { ...options, env })).rejects.toThrow("TROUPE_MODEL_PATH does not help: /nowhere is not there.");
});

test("resolveModelFile() sees a broken file by its size, a damaged one only when asked to", async () => {
  const { dir, options } = await setUp();
  await writeFile(join(dir, "tiny.gguf"), content.subarray(1));
  await expect(resolveModelFile("tiny", options)).rejects.toThrow("has 4999 bytes (5 kB), not 5000 (5 kB)");
  await writeFile(join(dir, "tiny.gguf"), makeContent(5000, 2));
  expect(await resolveModelFile("tiny", options)).toBe(join(dir, "tiny.gguf"));
  await expect(resolveModelFile("tiny", { ...options, verify: true })).rejects.toThrow("has the SHA-256");
});

test("resolveModelFile() does not know every name", async () => {
  const { options } = await setUp();
  await expect(resolveModelFile("tinny", options)).rejects.toMatchObject({ code: "model_unknown" });
});

test("resolveModelFile() takes the path of a GGUF file, relative to the base or to the home folder", async () => {
  const { dir, options } = await setUp();
  await mkdir(join(dir, "sub"));
  await writeFile(join(dir, "sub", "own.gguf"), content);
  const own = join(dir, "sub", "own.gguf");
  expect(await resolveModelFile("sub/own.gguf", options)).toBe(own);
  expect(await resolveModelFile(own, options)).toBe(own);
  expect(await resolveModelFile("~/own.gguf", { ...options, env: { HOME: join(dir, "sub") } })).toBe(own);
  expect(await resolveModelFile("own.gguf", { ...options, base: join(dir, "sub") })).toBe(own);
});

test("resolveModelFile() refuses paths that hold no GGUF file", async () => {
  const { dir, options } = await setUp();
  await writeFile(join(dir, "text.gguf"), "GGU");
  await writeFile(join(dir, "page.gguf"), "<html>");
  const said = (path: string) => resolveModelFile(path, options).catch((error: unknown) => error);
  expect(await said("./none.gguf")).toMatchObject({ code: "model_unavailable", message: expect.stringContaining("is not there") });
  expect(await said("./text.gguf")).toMatchObject({ code: "model_unavailable", message: expect.stringContaining("is not a GGUF file") });
  expect(await said("./page.gguf")).toMatchObject({ message: expect.stringContaining("is not a GGUF file") });
  expect(await said("./")).toMatchObject({ message: expect.stringContaining("is not a file") });
});

test("listModels() shows what the store holds of the catalogue", async () => {
  const { dir } = await setUp();
  expect((await listModels(join(dir, "nowhere"), signal)).map(({ name, present, isDefault }) => [name, present, isDefault])).toEqual([
    ["qwen2.5-coder-1.5b", false, true],
    ["qwen2.5-coder-0.5b", false, false],
    ["smollm2-135m", false, false],
    ["all-minilm-l6-v2", false, false],
  ]);
  await writeFile(join(dir, "tiny.gguf.part"), content.subarray(0, 77));
  expect((await listModels(dir, signal, [model]))[0]).toMatchObject({ present: false, partialBytes: 77, bytes: 5000 });
  await writeFile(join(dir, "tiny.gguf"), content);
  expect((await listModels(dir, signal, [model]))[0]).toMatchObject({ present: true, path: join(dir, "tiny.gguf"), licence: "Apache-2.0" });
});
