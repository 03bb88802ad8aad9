import { type Language, type Sandbox, systemClock } from "@troupe/schema";
import type { Backend, Host, SandboxName } from "./backend.ts";
import { bubblewrap } from "./bubblewrap.ts";
import { currentHost } from "./host.ts";
import { openSandbox } from "./open-sandbox.ts";
import { reasonOf } from "./sandbox-failed.ts";
import { seatbelt } from "./seatbelt.ts";
import { wasm } from "./wasm.ts";

/** What is known of one backend on this machine. */
export interface SandboxProbe {
  readonly name: SandboxName;
  readonly strength: Sandbox["strength"];
  /** Whether at least one language runs in it. */
  readonly works: boolean;
  /** Why it does not work, or what it can't do; empty when all is well. */
  readonly reason: string;
  /** The languages that a small program was run in. */
  readonly languages: readonly Language[];
  /** Seconds that the probe took. */
  readonly seconds: number;
}

/** A probe, and the sandbox that it was made on if it works. */
export interface ProbedSandbox {
  readonly probe: SandboxProbe;
  readonly sandbox: Sandbox | undefined;
}

/** Every backend with an isolation, the strongest first: the order of `auto`. */
export const isolatedBackends: readonly Backend[] = [bubblewrap, seatbelt, wasm];

/** Tries every backend that isolates, for `troupe doctor`. */
export async function probeSandboxes(signal: AbortSignal, host: Host = currentHost()): Promise<SandboxProbe[]> {
  const probes: SandboxProbe[] = [];
  for (const backend of isolatedBackends) probes.push((await probeBackend(backend, host, signal)).probe);
  return probes;
}

/** Opens one backend and runs a small program of each language in it. */
export async function probeBackend(backend: Backend, host: Host, signal: AbortSignal): Promise<ProbedSandbox> {
  const started = systemClock.now();
  const facts = { name: backend.name, strength: backend.strength };
  const seconds = () => (systemClock.now() - started) / 1000;
  try {
    const sandbox = await openSandbox(backend, host, signal);
    const tries = await Promise.all(backend.languages.map((language) => tryLanguage(sandbox, language, signal)));
    signal.throwIfAborted();
    const languages = backend.languages.filter((_, index) => tries[index] === "");
    const reason = tries.find((problem) => problem !== "") ?? "";
    const works = languages.length > 0;
    return { probe: { ...facts, works, reason, languages, seconds: seconds() }, sandbox: works ? sandbox : undefined };
  } catch (error) {
    signal.throwIfAborted();
    const reason = reasonOf(error);
    return { probe: { ...facts, works: false, reason, languages: [], seconds: seconds() }, sandbox: undefined };
  }
}

const probes: Readonly<Record<Language, { readonly path: string; readonly content: string }>> = {
  python: { path: "probe.py", content: "print('alive')" },
  javascript: { path: "probe.js", content: "console.log('alive')" },
  typescript: { path: "probe.ts", content: "const word: string = 'alive'; console.log(word)" },
};

async function tryLanguage(sandbox: Sandbox, language: Language, signal: AbortSignal): Promise<string> {
  const { path, content } = probes[language];
  const program = language === "python" ? "python" : "node";
  try {
    const files = [{ path, encoding: "utf8" as const, content }];
    const result = await sandbox.run({ files, command: { program, args: [path] }, limits: { seconds: 60 } }, signal);
    if (result.ended === "exited" && result.exitCode === 0 && result.stdout.trim() === "alive") return "";
    return `${language} does not run: it ${result.ended} with ${result.exitCode ?? "no exit code"}. ${result.stderr.trim().slice(0, 300)}`;
  } catch (error) {
    return reasonOf(error);
  }
}
