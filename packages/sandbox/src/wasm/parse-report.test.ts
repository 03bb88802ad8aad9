import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReport } from "./parse-report.ts";

const bytes = (value: unknown) => Buffer.from(`ready\n${JSON.stringify(value)}\n`);

describe("parseReport()", () => {
  it("reads a report, and turns bytes that are text into text", () => {
    const files = [{ path: "a.txt", encoding: "base64", content: Buffer.from("grün").toString("base64") }];
    expect(parseReport(bytes({ ended: "exited", exitCode: 3, files }))).toEqual({
      ended: "exited",
      exitCode: 3,
      files: [{ path: "a.txt", encoding: "utf8", content: "grün" }],
    });
  });

  it("drops files on paths that leave the workspace", () => {
    const files = ["../up", "/etc/passwd", "ok"].map((path) => ({ path, encoding: "utf8", content: "" }));
    expect(parseReport(bytes({ ended: "exited", exitCode: 0, files: [...files, 7, null] }))?.files.map((file) => file.path)).toEqual([
      "ok",
    ]);
  });

  it.each([
    [{}],
    [{ ended: "cancelled", exitCode: 0, files: [] }],
    [{ ended: "exited", exitCode: "0", files: [] }],
    [{ ended: "exited", exitCode: 0, files: {} }],
    [null],
    [[]],
  ])("takes %j for no report", (value) => {
    expect(parseReport(bytes(value))).toBeUndefined();
  });

  it("takes any bytes without an error", () => {
    fc.assert(fc.property(fc.uint8Array(), (noise) => parseReport(Buffer.concat([Buffer.from("ready\n"), noise])) === undefined));
  });
});
