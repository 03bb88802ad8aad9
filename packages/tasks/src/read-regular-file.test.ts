import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { readRegularFile } from "./read-regular-file.ts";

const folder = mkdtempSync(join(tmpdir(), "troupe-read-"));
const { signal } = new AbortController();
afterAll(() => rmSync(folder, { recursive: true }));

it("readRegularFile() gives the bytes of a file within its bound", async () => {
  const path = join(folder, "five");
  writeFileSync(path, "12345");
  expect(Buffer.from(await readRegularFile(path, 5, signal)).toString()).toBe("12345");
  await expect(readRegularFile(path, 4, signal)).rejects.toMatchObject({ code: "file_unreadable" });
});

it.skipIf(process.platform === "win32")("readRegularFile() refuses what may never end", async () => {
  await expect(readRegularFile("/dev/zero", 1e9, signal)).rejects.toMatchObject({ code: "file_unreadable" });
});

it("readRegularFile() says what the system says of a folder and of nothing", async () => {
  await expect(readRegularFile(folder, 5, signal)).rejects.toMatchObject({ code: "EISDIR" });
  await expect(readRegularFile(join(folder, "none"), 5, signal)).rejects.toMatchObject({ code: "ENOENT" });
});
