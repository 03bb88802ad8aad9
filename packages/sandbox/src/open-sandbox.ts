import { type Sandbox, systemClock } from "@troupe/schema";
import type { Backend, Host } from "./backend.ts";
import { prepareProgram } from "./prepare-program.ts";

/**
 * A sandbox of one backend, behind the port that everything else uses.
 *
 * @throws TroupeError `sandbox_unavailable` when the backend lacks something.
 */
export async function openSandbox(backend: Backend, host: Host, signal: AbortSignal): Promise<Sandbox> {
  const runProgram = await backend.open(host, signal);
  return {
    name: backend.name,
    strength: backend.strength,
    async run(job, runSignal) {
      const { program, restore } = prepareProgram(job);
      const started = systemClock.now();
      const { files, ...end } = await runProgram(program, runSignal);
      const seconds = (systemClock.now() - started) / 1000;
      return { ...end, seconds, files: restore(files ?? program.files), sandbox: backend.name };
    },
  };
}
