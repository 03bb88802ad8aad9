import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Artifact } from "@troupe/schema";
import { afterEach, describe, expect, it } from "vitest";
import { writeProduct } from "./write-product.ts";

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "troupe-product-"));
  folders.push(folder);
  return folder;
}

const product: Artifact = { kind: "files", files: [{ path: "main.py", encoding: "utf8", content: "print(1)\n" }] };

describe("writeProduct()", () => {
  it("takes the place of an earlier product", async () => {
    const folder = await newFolder();
    await writeProduct({ kind: "text", text: "hello" }, folder);
    expect(await writeProduct(product, folder)).toEqual(["main.py"]);
    expect(await readFile(join(folder, "main.py"), "utf8")).toBe("print(1)\n");
    await expect(readFile(join(folder, "answer.md"))).rejects.toMatchObject({ code: "ENOENT" });
  });

  it.each<[Artifact, Record<string, string>]>([
    [{ kind: "text", text: "hello" }, { "answer.md": "hello\n" }],
    [{ kind: "choice", choice: "a bat" }, { "answer.txt": "a bat\n" }],
    [
      { kind: "choice", choice: "a bat", reason: "It has milk.\n" },
      { "answer.txt": "a bat\n", "reason.md": "It has milk.\n" },
    ],
    [{ kind: "json", value: [1] }, { "answer.json": "[\n  1\n]\n" }],
  ])("writes %j", async (artifact, files) => {
    const folder = await newFolder();
    expect(await writeProduct(artifact, folder)).toEqual(Object.keys(files));
    for (const [path, content] of Object.entries(files)) expect(await readFile(join(folder, path), "utf8")).toBe(content);
  });

  it("leaves the files of others alone", async () => {
    const folder = await newFolder();
    await writeFile(join(folder, "mine.txt"), "");
    await expect(writeProduct(product, folder)).rejects.toMatchObject({ code: "call_invalid", message: expect.stringContaining(folder) });
  });

  it("says where the product still is when it can't be written", async () => {
    const folder = await newFolder();
    await writeFile(join(folder, ".troupe-product.json"), "{}");
    await mkdir(join(folder, "main.py"));
    const message = expect.stringMatching(/can't be written into .*EISDIR.*show RUN --product FOLDER/);
    await expect(writeProduct(product, folder)).rejects.toMatchObject({ code: "call_invalid", message });
  });
});
