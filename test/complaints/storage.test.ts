import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeRun } from "@troupe/engine";
import { createRandom } from "@troupe/schema";
import { openStore } from "@troupe/store";
import { ESLint } from "eslint";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareDag, runDag } from "../bench/support/dag-run.mjs";
import { root } from "../support/workspace.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "troupe-storage-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Text that hardly compresses, like the base64 of random bytes. */
function noise(seed: number, length: number): string {
  const random = createRandom(seed);
  return Array.from({ length }, () => String.fromCharCode(48 + random.integer(64))).join("");
}

/** Bytes of a closed database after a run of a chain, beyond those of an empty one. */
async function bytesOf(nodes: number, textOf: (node: number) => string): Promise<number> {
  const sizeAfter = async (name: string, work: (store: ReturnType<typeof openStore>) => Promise<unknown>) => {
    const store = openStore(join(folder, name));
    await work(store);
    store.close();
    return statSync(join(folder, name)).size;
  };
  const dag = prepareDag(Array.from({ length: nodes }, (_, i) => (i === 0 ? [] : [i - 1])));
  const work = (node: number) => Promise.resolve({ kind: "text" as const, text: textOf(node) });
  return (
    (await sizeAfter("run.db", (store) => runDag({ executeRun }, dag, { store, work }))) - (await sizeAfter("empty.db", async () => 0))
  );
}

describe("row 11: checkpoints grow with the square of the steps", () => {
  it.each([10, 100, 1000, 10_000])(
    "row 11: the log of %i activations that make 1 KB each is at most three times these",
    async (activations) => {
      expect((await bytesOf(activations, (node) => noise(node, 1000))) / (activations * 1000)).toBeLessThanOrEqual(3);
    },
    120_000,
  );

  it("row 11: what many activations hand on unchanged is stored once", async () => {
    const large = noise(1, 500_000);
    expect(await bytesOf(100, () => large)).toBeLessThan(2 * large.length);
  });
});

describe("row 23: two processes that write at once lose writes", () => {
  it("row 23: the linter refuses a transaction that does not begin as a writing one", async () => {
    const eslint = new ESLint({ cwd: root });
    const messagesOf = async (code: string) =>
      (await eslint.lintText(`${code}\n`, { filePath: join(root, "scripts/some.mjs") })).flatMap(({ messages }) =>
        messages.filter(({ ruleId }) => ruleId === "no-restricted-syntax").map(({ message }) => message),
      );
    expect(await messagesOf("export const write = (db, work) => db.transaction(work)();")).toEqual([
      expect.stringContaining(".immediate()"),
    ]);
    expect(await messagesOf("export const write = (db, work) => db.transaction(work).deferred();")).toHaveLength(1);
    expect(await messagesOf("export const write = (db, work) => db.transaction(work).immediate();")).toEqual([]);
  });
});
