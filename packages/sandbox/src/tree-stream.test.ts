import { Readable } from "node:stream";
import { type FileEntry, sortFiles } from "@troupe/schema";
import fc from "fast-check";
import { pack } from "tar-stream";
import { describe, expect, it } from "vitest";
import { packTree, unpackTree } from "./tree-stream.ts";

const name = fc.stringMatching(/^[A-Za-z0-9_é ][A-Za-z0-9_é .-]{0,60}$/).filter((text) => text !== "__pycache__");
const path = fc.array(name, { minLength: 1, maxLength: 6 }).map((parts) => parts.join("/"));
const entry: fc.Arbitrary<FileEntry> = fc.oneof(
  fc.record({ path, encoding: fc.constant("utf8" as const), content: fc.string({ unit: "grapheme", maxLength: 300 }) }),
  fc.record({ path, encoding: fc.constant("base64" as const), content: fc.constant(Buffer.from([0xff, 0, 0x80]).toString("base64")) }),
);

describe("unpackTree()", () => {
  it("gives back what packTree() was given", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(entry, { selector: (file) => file.path, maxLength: 12 }), async (files) => {
        expect(sortFiles(await unpackTree(packTree(files), 1 << 20))).toEqual(sortFiles(files));
      }),
      { numRuns: 50 },
    );
  });

  it("takes regular files only, on paths that stay inside", async () => {
    const stream = pack();
    stream.entry({ name: "./good.txt" }, "good");
    stream.entry({ name: "again.txt", type: "link", linkname: "./good.txt" });
    stream.entry({ name: "../up.txt" }, "bad");
    stream.entry({ name: "/root.txt" }, "bad");
    stream.entry({ name: "a/../../b.txt" }, "bad");
    stream.entry({ name: "link", type: "symlink", linkname: "/etc/passwd" });
    stream.entry({ name: "stolen", type: "link", linkname: "/etc/passwd" });
    stream.entry({ name: "folder", type: "directory" });
    stream.entry({ name: "device", type: "character-device" });
    stream.entry({ name: "pipe", type: "fifo" });
    stream.entry({ name: "__pycache__/x.pyc" }, "cache");
    stream.finalize();
    expect(await unpackTree(stream, 1000)).toEqual([
      { path: "good.txt", encoding: "utf8", content: "good" },
      { path: "again.txt", encoding: "utf8", content: "good" },
    ]);
  });

  it("stops at the first file that is too much", async () => {
    const files = ["a", "b", "c"].map((path) => ({ path, encoding: "utf8" as const, content: "x".repeat(400) }));
    expect((await unpackTree(packTree(files), 1000)).map((file) => file.path)).toEqual(["a", "b"]);
  });

  it("stops at a file that only claims to be huge", async () => {
    const whole = new Readable().wrap(packTree([{ path: "huge", encoding: "utf8", content: "" }]));
    const header = Buffer.concat((await whole.toArray()) as Buffer[]).subarray(0, 512);
    header.write("77777777777\0", 124);
    header.write("        ", 148);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
    expect(await unpackTree(Readable.from([header]), 1000)).toEqual([]);
  });

  it("takes any bytes for no tree, without an error", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 2000 })), async (chunks) => {
        expect(Array.isArray(await unpackTree(Readable.from(chunks.map((chunk) => Buffer.from(chunk))), 1000))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });
});
