import { describe, expect, it } from "vitest";
import { currentHost } from "./host.ts";
import { seatbelt } from "./seatbelt.ts";
import { seatbeltArguments, seatbeltProfile } from "./seatbelt-profile.ts";

const lines = seatbeltProfile(2).split("\n");

describe("seatbeltProfile()", () => {
  it("denies by default, and denies the network", () => {
    expect(lines.slice(0, 3)).toEqual(["(version 1)", "(deny default)", "(deny network*)"]);
    expect(lines.filter((line) => line.startsWith("(allow") && line.includes("network"))).toEqual([]);
  });

  it("allows writing to the workspace and to harmless devices only", () => {
    const writable = lines.filter((line) => line.startsWith("(allow") && line.includes("file-write")).join("\n");
    const places = [...writable.matchAll(/\((?:subpath|literal|regex) (\(param "\w+"\)|"[^"]+")\)/g)].map((found) => found[1]);
    expect(places).toEqual(['"/dev/null"', '"/dev/zero"', '"/dev/fd"', '"/dev/dtracehelper"', '(param "WORKSPACE")']);
  });

  it("allows reading neither homes nor the temporary folder nor all of /etc", () => {
    const readable = lines.filter((line) => line.startsWith("(allow file-read*")).join("\n");
    for (const path of ["/Users", "/private/tmp", "/private/etc", "/private/var/folders", "/Volumes", "/usr/local", "/opt"]) {
      expect(readable).not.toContain(`(subpath "${path}")`);
    }
    expect(readable).not.toMatch(/\(allow file-read\*\)/);
  });

  it("is balanced", () => {
    for (const line of lines) expect(line.split("(").length).toBe(line.split(")").length);
  });
});

describe("seatbeltArguments()", () => {
  it("passes folders as parameters, so that their names are never read as rules", () => {
    const workspace = '/private/tmp/troupe-") (allow default) ("';
    const words = seatbeltArguments(workspace, ["/Users/me/.pyenv/versions/3.12", "/usr/local/bin/node"]);
    expect(words.slice(0, 7)).toEqual([
      "-D",
      `WORKSPACE=${workspace}`,
      "-D",
      "READABLE_0=/Users/me/.pyenv/versions/3.12",
      "-D",
      "READABLE_1=/usr/local/bin/node",
      "-p",
    ]);
    expect(words[7]).toBe(seatbeltProfile(2));
    expect(words[7]).not.toContain("allow default");
  });
});

describe("seatbelt", () => {
  it("refuses other systems with a reason", async () => {
    const host = { ...currentHost(), platform: "linux" as const };
    await expect(seatbelt.open(host, new AbortController().signal)).rejects.toMatchObject({ code: "sandbox_unavailable" });
  });
});
