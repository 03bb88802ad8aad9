import { describe, expect, it } from "vitest";
import { formatTable } from "./format-table.ts";

describe("formatTable()", () => {
  it("makes columns as wide as their widest cell on a terminal", () => {
    expect(
      formatTable(
        [
          ["agent", "tokens"],
          ["世界", "5"],
          ["programmer", "12345"],
        ],
        ["left", "right"],
      ),
    ).toEqual(["agent       tokens", "世界             5", "programmer   12345"]);
  });

  it("ignores colour when it counts, and leaves no space at the end", () => {
    expect(
      formatTable([
        ["\x1b[1ma\x1b[0m", "b"],
        ["cc", ""],
      ]),
    ).toEqual(["\x1b[1ma\x1b[0m   b", "cc"]);
  });
});
