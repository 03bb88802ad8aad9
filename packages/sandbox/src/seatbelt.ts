import { access, realpath } from "node:fs/promises";
import { TroupeError } from "@troupe/schema";
import type { Backend } from "./backend.ts";
import { findInterpreters } from "./find-interpreters.ts";
import { runInFolder } from "./run-in-folder.ts";
import { seatbeltArguments } from "./seatbelt-profile.ts";

const sandboxExec = "/usr/bin/sandbox-exec";

/** The sandbox of macOS: no network, no writing outside the workspace, reading only of the system and the interpreters. */
export const seatbelt: Backend = {
  name: "seatbelt",
  strength: "os",
  languages: ["python", "javascript", "typescript"],
  async open(host, signal) {
    if (host.platform !== "darwin") throw new TroupeError("sandbox_unavailable", "seatbelt works on macOS only.");
    await access(sandboxExec).catch((error: unknown) => {
      throw new TroupeError("sandbox_unavailable", `${sandboxExec} is missing, though every macOS has it.`, { cause: error });
    });
    const interpreters = await findInterpreters(host, signal);
    const needs = [interpreters.node, interpreters.python].flatMap((interpreter) => interpreter?.needs ?? []);
    const readable = await Promise.all(needs.map((path) => realpath(path)));
    const confine = (folder: string) => [sandboxExec, ...seatbeltArguments(folder, readable)];
    return (program, runSignal) => runInFolder({ host, interpreters, confine }, program, runSignal);
  },
};
