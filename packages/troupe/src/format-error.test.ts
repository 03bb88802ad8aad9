import { TroupeError } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import { formatError } from "./format-error.ts";

describe("formatError()", () => {
  it("shows the message and the code of an error of Troupe, without its stack", () => {
    expect(formatError(new TroupeError("run_unknown", "No run \x1b[2Jis called x."))).toBe("troupe: No run is called x. [run_unknown]");
  });

  it("shows the problems of a file as they stand, and counts those that are no warnings", () => {
    const problem = { file: "a.yaml", line: 1, column: 1, message: "bad", excerpt: "", severity: "error" as const };
    const odd = { ...problem, severity: "warning" as const };
    const error = new TroupeError("file_invalid", "a.yaml:1:1: error: bad\n  | x\n  | ^", { problems: [problem, odd] });
    expect(formatError(error)).toBe("a.yaml:1:1: error: bad\n  | x\n  | ^\ntroupe: 1 problem [file_invalid]");
  });

  it("shows a fault with its stack and its cause", () => {
    const text = formatError(new TypeError("x is not a function", { cause: new Error("deeper") }));
    expect(text).toMatch(/^troupe: TypeError: x is not a function\n +at [\s\S]*caused by Error: deeper[\s\S]*report it/);
  });

  it("takes the code of a system error for no code of Troupe", () => {
    expect(formatError(Object.assign(new Error("no such file"), { code: "ENOENT" }))).toContain("[internal]");
  });

  it("says what to do about a full disk and a refused path, without a stack", () => {
    const full = Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC", syscall: "write" });
    expect(formatError(full)).toBe("troupe: ENOSPC: no space left on device, write. Make room, and try again. [disk_full]");
    const refused = Object.assign(new Error("EACCES: permission denied, mkdir '/x'"), { code: "EACCES", syscall: "mkdir" });
    expect(formatError(refused)).toMatch(/^troupe: EACCES.*'\/x'\. Name another path.*\[call_invalid\]$/);
    const unmade = Object.assign(new Error("ENOENT: no such file or directory, mkdir '/proc/x'"), { code: "ENOENT", syscall: "mkdir" });
    expect(formatError(unmade)).toMatch(/'\/proc\/x'\. Name another path.*\[call_invalid\]$/);
  });

  it("takes anything", () => expect([formatError("odd"), formatError(undefined)]).toEqual(["troupe: odd", "troupe: undefined"]));

  it("is coloured when asked", () => expect(formatError(new TroupeError("run_unknown", "x"), true)).toContain("\x1b[31mtroupe:"));
});
