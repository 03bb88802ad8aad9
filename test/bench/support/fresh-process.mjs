import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { option } from "./options.mjs";

/**
 * Runs a script of this folder's parent in a process of its own and gives the JSON that it writes.
 *
 * @param script name from test/bench, such as `growth/measure.mjs`; it finds the question by {@link question}.
 * @param settings `seconds` that it may take (default 600) and `flags` for Node.
 * @returns its answer, or `{ late: seconds }` when it took too long.
 * @throws Error with what it said when it fails.
 */
export function inFreshProcess(script, asked, { seconds = 600, flags = [] } = {}) {
  const file = fileURLToPath(new URL(`../${script}`, import.meta.url));
  const packages = option("packages");
  const words = ["--expose-gc", ...flags, file, JSON.stringify(asked), ...(packages === undefined ? [] : ["--packages", packages])];
  return new Promise((resolve, reject) => {
    const limits = { timeout: seconds * 1000, killSignal: "SIGKILL", maxBuffer: 1e8 };
    execFile(process.execPath, words, limits, (error, output, complaint) => {
      if (error?.killed && error.code !== "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") resolve({ late: seconds });
      else if (error)
        reject(new Error(`${script} ${JSON.stringify(asked)} failed (${error.code ?? error.signal}):\n${complaint.slice(-2000)}`));
      else resolve(JSON.parse(output));
    });
  });
}

/** In such a process: what was asked. */
export function question() {
  return JSON.parse(process.argv[2]);
}

/** In such a process: gives the answer. */
export function answer(value) {
  process.stdout.write(JSON.stringify(value));
}
