import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { noUsage } from "@troupe/schema";
import { afterAll, describe, expect, it } from "vitest";
import { openResults } from "./results-file.ts";
import { taskRow } from "./task-row.ts";

const folder = mkdtempSync(join(tmpdir(), "troupe-results-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const newPath = (): string => join(folder, "deeper", `${files++}.jsonl`);

const rowOf = (seed: number) =>
  taskRow.parse({ topology: "t", task: "a", seed, passed: true, reason: "", outcome: "completed", run: "r", usage: noUsage, seconds: 1 });

/** A file with two rows, and what follows them. */
async function fileWith(rest: string): Promise<string> {
  const path = newPath();
  const file = await openResults(path);
  await file.keep(rowOf(0));
  await file.keep(rowOf(1));
  appendFileSync(path, rest);
  return path;
}

describe("openResults()", () => {
  it("begins with nothing, and finds again what was kept", async () => {
    const path = await fileWith("");
    expect((await openResults(path)).rows).toEqual([rowOf(0), rowOf(1)]);
  });

  it.each(['{"topology":"t","ta', "{", "null", JSON.stringify({ ...rowOf(2), seed: undefined })])(
    "takes a last line that a crash has cut out of the file: %s",
    async (rest) => {
      const path = await fileWith(rest);
      const file = await openResults(path);
      expect(file.rows).toHaveLength(2);
      await file.keep(rowOf(5));
      expect((await openResults(path)).rows.map((row) => row.seed)).toEqual([0, 1, 5]);
    },
  );

  it("changes nothing by opening, so that a file that is being written can be looked at", async () => {
    const path = await fileWith('{"topology":"t","ta');
    const before = readFileSync(path, "utf8");
    expect((await openResults(path)).rows).toHaveLength(2);
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("mends a line that was cut within a letter, and leaves every other byte as it is", async () => {
    const more = `${JSON.stringify({ ...rowOf(2), note: "kept" })}\n`;
    const path = await fileWith(more);
    const before = readFileSync(path, "utf8");
    appendFileSync(path, Uint8Array.of(0x7b, 0x22, 0xe2, 0x82));
    const file = await openResults(path);
    expect(file.rows).toHaveLength(3);
    await file.keep(rowOf(3));
    expect(readFileSync(path, "utf8")).toBe(`${before}${JSON.stringify(rowOf(3))}\n`);
  });

  it("keeps a last row that only lacks its line feed", async () => {
    const path = await fileWith(JSON.stringify(rowOf(2)));
    await (await openResults(path)).keep(rowOf(3));
    expect((await openResults(path)).rows.map((row) => row.seed)).toEqual([0, 1, 2, 3]);
    expect(readFileSync(path, "utf8").endsWith("\n")).toBe(true);
  });

  it("refuses any other line that is no row, with its number, and leaves the file alone", async () => {
    const path = await fileWith('{"topology":1}\n');
    const before = readFileSync(path, "utf8");
    await expect(openResults(path)).rejects.toMatchObject({
      code: "file_invalid",
      message: expect.stringMatching(/:3 is no line of results[\s\S]*topology/),
    });
    expect(readFileSync(path, "utf8")).toBe(before);
  });

  it("refuses what is no file", async () => {
    await expect(openResults(folder)).rejects.toMatchObject({ code: "file_unreadable" });
    writeFileSync(join(folder, "plain"), "");
    await expect(openResults(join(folder, "plain", "x"))).rejects.toMatchObject({ code: "file_unreadable" });
  });
});
