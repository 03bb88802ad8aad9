import type { Backend } from "./backend.ts";
import { findInterpreters } from "./find-interpreters.ts";
import { runInFolder } from "./run-in-folder.ts";

/**
 * No isolation: a plain process in a fresh folder, with limits. It can read what you can read, and reach the network. Only
 * for code that you would run by hand; it is never chosen by itself.
 */
export const none: Backend = {
  name: "none",
  strength: "none",
  languages: ["python", "javascript", "typescript"],
  async open(host, signal) {
    const interpreters = await findInterpreters(host, signal);
    return (program, runSignal) => runInFolder({ host, interpreters, confine: () => [] }, program, runSignal);
  },
};
