import { expect, it } from "vitest";
import { isNewerVersion } from "./troupe-version.ts";

it.each([
  ["0.1.0", false],
  ["0.1.9", false],
  ["0.0.9", false],
  ["0.2.0", true],
  ["0.10.0", true],
  ["1.0.0", true],
  ["0", false],
  ["", false],
])("isNewerVersion() of %s for 0.1.0 is %s", (version, isNewer) => expect(isNewerVersion(version, "0.1.0")).toBe(isNewer));
