import { type Sandbox, TroupeError } from "@troupe/schema";
import type { Backend, Host, SandboxName } from "./backend.ts";
import { currentHost } from "./host.ts";
import { none } from "./none.ts";
import { isolatedBackends, probeBackend } from "./probe-sandboxes.ts";

/** What a sandbox may be asked for as: a backend by its name, or `auto`. */
export type SandboxChoice = "auto" | SandboxName;

/** How a sandbox is made. */
export interface CreateSandboxOptions {
  /** Ends the search. */
  readonly signal: AbortSignal;
  /** The environment that `PATH` and `HOME` are read from, default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** The machine, default: this one. */
  readonly host?: Host;
  /** Backends with an isolation in order of preference, default: bubblewrap, seatbelt, wasm. */
  readonly backends?: readonly Backend[];
}

/**
 * The place where model-written code runs.
 *
 * `auto` takes the first backend whose probe works in all its languages, otherwise the first that works in any; it never
 * takes `none`. A backend that is named is taken or refused, never replaced.
 *
 * @throws TroupeError `sandbox_unavailable`, with what each backend said.
 * @example
 * const sandbox = await createSandbox("auto", { signal });
 * const files = [{ path: "main.py", encoding: "utf8", content: "print(6 * 7)" }];
 * const { stdout } = await sandbox.run({ files, command: { program: "python", args: ["main.py"] } }, signal);
 */
export async function createSandbox(choice: SandboxChoice, options: CreateSandboxOptions): Promise<Sandbox> {
  const { signal, host = currentHost(options.env), backends = isolatedBackends } = options;
  const candidates = choice === "auto" ? backends : [...backends, none].filter((backend) => backend.name === choice);
  const reasons: string[] = [];
  let partial: Sandbox | undefined;
  for (const backend of candidates) {
    const { probe, sandbox } = await probeBackend(backend, host, signal);
    if (sandbox !== undefined && probe.languages.length === backend.languages.length) return sandbox;
    partial ??= sandbox;
    reasons.push(`${backend.name}: ${probe.reason}`);
  }
  if (partial !== undefined) return partial;
  throw new TroupeError("sandbox_unavailable", `No sandbox works here. ${reasons.join(" ")}`, { details: { reasons } });
}
