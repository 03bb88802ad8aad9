export type { Backend, Host, Program, ProgramEnd, RunProgram, SandboxName } from "./backend.ts";
export { type CreateSandboxOptions, createSandbox, type SandboxChoice } from "./create-sandbox.ts";
export { currentHost } from "./host.ts";
export { probeSandboxes, type SandboxProbe } from "./probe-sandboxes.ts";
export { stripTypes } from "./strip-types.ts";
