import { expect, test } from "vitest";
import { dataDir } from "./data-dir.ts";

test.each([
  ["linux", {}, "/home/ada", "/home/ada/.local/share/troupe"],
  ["linux", { XDG_DATA_HOME: "/data" }, "/home/ada", "/data/troupe"],
  ["linux", { XDG_DATA_HOME: "relative" }, "/home/ada", "/home/ada/.local/share/troupe"],
  ["linux", { XDG_DATA_HOME: "" }, "/home/ada", "/home/ada/.local/share/troupe"],
  ["darwin", { XDG_DATA_HOME: "/data" }, "/Users/ada", "/Users/ada/Library/Application Support/troupe"],
  ["win32", {}, "C:\\Users\\ada", "C:\\Users\\ada\\AppData\\Local\\troupe"],
  ["win32", { LOCALAPPDATA: "D:\\Local" }, "C:\\Users\\ada", "D:\\Local\\troupe"],
  ["linux", { TROUPE_HOME: "/srv/troupe", XDG_DATA_HOME: "/data" }, "/home/ada", "/srv/troupe"],
])("dataDir() follows the conventions of %s with %o", (platform, env, home, expected) => {
  expect(dataDir(env, platform, home)).toBe(expected);
});
