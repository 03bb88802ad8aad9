import { tmpdir } from "node:os";
import type { Host } from "./backend.ts";

/** The machine that we run on. */
export function currentHost(env: Readonly<Record<string, string | undefined>> = process.env): Host {
  const { platform, arch, execPath } = process;
  return { platform, arch, uid: process.getuid?.(), env, nodePath: execPath, tempFolder: tmpdir() };
}
