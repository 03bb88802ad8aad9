import { expect, it } from "vitest";
import { defaultDatabasePath } from "./default-database-path.ts";

it.each([
  ["linux", {}, "/home/ada", "/home/ada/.local/share/troupe/runs.db"],
  ["linux", { XDG_DATA_HOME: "/data" }, "/home/ada", "/data/troupe/runs.db"],
  ["darwin", {}, "/Users/ada", "/Users/ada/Library/Application Support/troupe/runs.db"],
  ["win32", { LOCALAPPDATA: "C:\\Users\\ada\\AppData\\Local" }, "C:\\Users\\ada", "C:\\Users\\ada\\AppData\\Local\\troupe\\runs.db"],
  ["linux", { TROUPE_HOME: "/srv/troupe", XDG_DATA_HOME: "/data" }, "/home/ada", "/srv/troupe/runs.db"],
])("defaultDatabasePath() follows the conventions of %s with %j", (platform, env, home, expected) => {
  expect(defaultDatabasePath(env, platform, home)).toBe(expected);
});
