import { expect, it } from "vitest";
import { productBytes } from "./product-bytes.ts";

const file = (path: string, content: string) => ({ path, content, encoding: "utf8" as const });

it("productBytes() counts bytes and not letters, and leaves out what was given and is as it was", () => {
  const files = [file("data.csv", "1,2"), file("main.py", "print(1)")];
  const product = { kind: "files" as const, files: [...files, file("notes.txt", "ä")] };
  expect(productBytes(product, { files: [] })).toBe(3 + 8 + 2);
  expect(productBytes(product, { files: [file("data.csv", "1,2"), file("main.py", "old")] })).toBe(8 + 2);
  expect(productBytes({ kind: "text", text: "äb" }, { files: [] })).toBeGreaterThanOrEqual(3);
});
