import { TroupeError } from "@troupe/schema";
import { describe, expect, it } from "vitest";
import type { Backend, RunProgram, SandboxName } from "./backend.ts";
import { createSandbox } from "./create-sandbox.ts";
import { probeBackend } from "./probe-sandboxes.ts";
import { currentHost } from "./host.ts";

const signal = new AbortController().signal;

function backend(name: SandboxName, speaks: readonly ("python" | "node")[] | "missing"): Backend {
  const run: RunProgram = async ({ command, files }) => {
    const works = speaks.includes(command.program);
    return {
      ended: "exited",
      exitCode: works ? 0 : 127,
      stdout: works ? "alive\n" : "",
      stderr: works ? "" : "not found",
      truncated: false,
      files,
    };
  };
  return {
    name,
    strength: name === "wasm" ? "wasm" : "os",
    languages: ["python", "javascript", "typescript"],
    open: async () => {
      if (speaks === "missing") throw new TroupeError("sandbox_unavailable", `${name} is not installed.`);
      return run;
    },
  };
}

describe("createSandbox()", () => {
  it.each([
    ["the first that works", [backend("bubblewrap", ["python", "node"]), backend("wasm", ["python", "node"])], "bubblewrap"],
    ["the next when one is missing", [backend("bubblewrap", "missing"), backend("wasm", ["python", "node"])], "wasm"],
    ["the one that speaks all languages", [backend("bubblewrap", ["node"]), backend("wasm", ["python", "node"])], "wasm"],
    [
      "the first that speaks any, when none speaks all",
      [backend("bubblewrap", []), backend("seatbelt", ["node"]), backend("wasm", ["python"])],
      "seatbelt",
    ],
  ])("auto takes %s", async (_name, backends, expected) => {
    expect((await createSandbox("auto", { signal, backends })).name).toBe(expected);
  });

  it("auto never takes none, and says what each backend said", async () => {
    const backends = [backend("bubblewrap", "missing"), backend("wasm", [])];
    const expected = {
      code: "sandbox_unavailable",
      message: expect.stringMatching(/bubblewrap: bubblewrap is not installed\..*wasm: python does not run/),
    };
    await expect(createSandbox("auto", { signal, backends })).rejects.toMatchObject(expected);
  });

  it("takes a backend that is named, or refuses; never another", async () => {
    const backends = [backend("bubblewrap", "missing"), backend("wasm", ["python", "node"])];
    await expect(createSandbox("bubblewrap", { signal, backends })).rejects.toMatchObject({ code: "sandbox_unavailable" });
    expect((await createSandbox("wasm", { signal, backends })).strength).toBe("wasm");
  });

  it("ends when it is told to", async () => {
    await expect(
      createSandbox("auto", { signal: AbortSignal.abort(new Error("enough")), backends: [backend("wasm", ["node"])] }),
    ).rejects.toThrow("enough");
  });
});

describe("probeBackend()", () => {
  it("tells the languages that run, and why the others don't", async () => {
    const { probe } = await probeBackend(backend("seatbelt", ["node"]), currentHost(), signal);
    expect(probe).toMatchObject({
      name: "seatbelt",
      works: true,
      languages: ["javascript", "typescript"],
      reason: expect.stringContaining("not found"),
    });
  });
});
