import { expect, test } from "vitest";
import { makeFolder } from "../../../../test/support/model-store.ts";
import { runProgram } from "./pip.ts";

const { signal } = new AbortController();

test("runProgram() gives the exit code and the end of stderr", async () => {
  const script = 'process.stderr.write("x".repeat(100_000) + "end"); process.exitCode = 3';
  const end = await runProgram(process.execPath, ["-e", script], { cwd: await makeFolder(), env: process.env, signal });
  expect(end.code).toBe(3);
  expect(end.stderr.length).toBe(64 * 1024);
  expect(end.stderr.endsWith("end")).toBe(true);
});

test("runProgram() rejects when there is no such program", async () => {
  const running = runProgram("no-such-program-here", [], { cwd: await makeFolder(), env: process.env, signal });
  await expect(running).rejects.toMatchObject({ code: "ENOENT" });
});

test("runProgram() kills the program when aborted", async () => {
  const controller = new AbortController();
  const options = { cwd: await makeFolder(), env: process.env, signal: controller.signal };
  const running = runProgram(process.execPath, ["-e", "setInterval(() => {}, 1000)"], options);
  setTimeout(() => controller.abort(new Error("enough")), 50);
  await expect(running).rejects.toThrow("enough");
  await expect(runProgram(process.execPath, ["-e", "0"], options)).rejects.toThrow("enough");
});
