import { currentHost, probeSandboxes } from "@troupe/sandbox";
import type { TroupeContext } from "../../context.ts";
import type { Finding } from "./doctor.ts";

/** Which sandboxes work; the first one is what `auto` takes. */
export async function checkSandboxes({ signal, process: { env } }: TroupeContext): Promise<Finding[]> {
  const probes = await probeSandboxes(signal, currentHost(env));
  const works = probes.filter((probe) => probe.works);
  const strong = works.some((probe) => probe.strength === "os");
  const findings = probes.map(({ name, works: ok, strength, reason, languages }): Finding => {
    const kind = strength === "os" ? "boundary of the operating system" : "WebAssembly, the weaker one";
    const fact = ok ? `${name} (${kind}): ${languages.join(", ")}` : `${name} does not work: ${reason}`;
    return { name: "sandbox", state: ok && strength === "os" ? "good" : "weak", fact };
  });
  if (strong) return findings.filter((finding) => finding.state === "good");
  const advice =
    process.platform === "linux" ? "install bubblewrap, such as `apt install bubblewrap`; see docs/sandbox.md" : "see docs/sandbox.md";
  const summary: Finding =
    works.length > 0
      ? { name: "sandbox", state: "weak", fact: "only the weaker sandbox works", advice }
      : { name: "sandbox", state: "bad", fact: "no sandbox works", advice };
  return [...findings, summary];
}
