import { dirname } from "node:path";
import type { Program } from "./backend.ts";
import type { Interpreters } from "./find-interpreters.ts";
import type { SystemMounts } from "./system-mounts.ts";

/** File descriptors between us and the sandbox, besides the three usual ones. */
export const channels = Object.freeze({ treeIn: 3, treeOut: 4, status: 5, seccomp: 6 });

/** What never changes between the runs of one sandbox. */
export interface BubblewrapSetting {
  readonly mounts: SystemMounts;
  readonly interpreters: Interpreters;
  /** Whether a seccomp program is passed on {@link channels}. */
  readonly filtered: boolean;
  /**
   * The user of the program. `mapped`: our own, in a user namespace; for ordinary users. `switched`: a free user id that
   * nobody else has; for root, whose own id is exempt from the process limit in every namespace.
   */
  readonly identity: { readonly kind: "mapped" } | { readonly kind: "switched"; readonly uid: number };
}

const workspace = "/workspace";
/** Folders that a program can write to, each memory of bounded size. */
export const writableFolders = [workspace, "/tmp", "/dev/shm"] as const;
const sharedMemoryMb = 16;
const openFiles = 256;
const programUid = 1000;

/**
 * The shell program that is the sandbox's first process: lays the tree out, runs the program, ends whatever it left behind,
 * and sends the exit code and the tree. The tree is read inside the sandbox, so that no trick with links can reach the host.
 */
const bubblewrapScript = [
  `exec ${channels.status}>&- ${channels.seccomp}<&-`,
  `tar -xf - -C ${workspace} <&${channels.treeIn} 2>/dev/null || { echo setup >&${channels.treeOut}; exit 1; }`,
  `exec ${channels.treeIn}<&-`,
  // The shell's own words about how the program died don't belong into its output.
  "exec 6>&2 2>/dev/null",
  `( exec "$@" 2>&6 6>&- ${channels.treeOut}>&- )`,
  "code=$?",
  "exec 0</dev/null 1>/dev/null 6>&-",
  "kill -9 -1",
  `chmod u+rwx ${workspace}`,
  `chmod -R u+rwX ${workspace}`,
  `echo "$code" >&${channels.treeOut}`,
  `exec tar -cf - --exclude=__pycache__ -C ${workspace} . >&${channels.treeOut}`,
].join("\n");

/** The arguments of `bwrap` (0.8 or newer) for one program. */
export function bubblewrapArguments(setting: BubblewrapSetting, program: Program): string[] {
  return [
    ...namespaceArguments(setting),
    ...mountArguments(setting.mounts, program),
    ...environmentArguments(setting.interpreters),
    "--",
    ...identityCommand(setting),
    "/bin/sh",
    "-c",
    bubblewrapScript,
    "troupe",
    ...limitCommand(program),
    ...programCommand(setting.interpreters, program),
  ];
}

function namespaceArguments({ identity, filtered }: BubblewrapSetting): string[] {
  const always = ["--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try"];
  const user =
    identity.kind === "mapped"
      ? ["--unshare-user", "--disable-userns", "--uid", `${programUid}`, "--gid", `${programUid}`, "--cap-drop", "ALL"]
      : ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"];
  const filter = filtered ? ["--seccomp", `${channels.seccomp}`] : [];
  const ends = ["--die-with-parent", "--new-session", "--hostname", "sandbox", "--json-status-fd", `${channels.status}`];
  return [...user, ...always, ...filter, ...ends];
}

function mountArguments({ folders, links }: SystemMounts, { limits }: Program): string[] {
  const bytes = `${Math.floor(limits.fileMb * 2 ** 20)}`;
  const writable = (path: string, size: string) => ["--perms", "1777", "--size", size, "--tmpfs", path];
  return [
    ...parentsOf(folders).flatMap((path) => ["--perms", "0755", "--dir", path]),
    ...folders.flatMap((path) => ["--ro-bind", path, path]),
    ...links.flatMap(({ path, target }) => ["--symlink", target, path]),
    ...["--dev", "/dev", ...writable("/dev/shm", `${sharedMemoryMb * 2 ** 20}`), "--remount-ro", "/dev"],
    ...["--proc", "/proc"],
    ...writable("/tmp", bytes),
    ...writable(workspace, bytes),
    ...["--remount-ro", "/", "--chdir", workspace],
  ];
}

// Bubblewrap makes missing parents for their owner alone, which a switched user could not enter.
function parentsOf(folders: readonly string[]): string[] {
  const parents = new Set<string>();
  for (const folder of folders) {
    for (let parent = dirname(folder); parent !== "/"; parent = dirname(parent)) parents.add(parent);
  }
  return [...parents].filter((path) => !folders.includes(path)).sort();
}

function environmentArguments({ node, python }: Interpreters): string[] {
  const folders = new Set([...(python ? [dirname(python.path)] : []), dirname(node.path), "/usr/local/bin", "/usr/bin", "/bin"]);
  const variables = { ...programEnvironment, PATH: [...folders].join(":"), HOME: workspace, TMPDIR: "/tmp" };
  return ["--clearenv", ...Object.entries(variables).flatMap(([name, value]) => ["--setenv", name, value])];
}

/** What every program finds in its environment, besides `PATH` and `HOME`. */
export const programEnvironment = Object.freeze({
  LANG: "C.UTF-8",
  PYTHONDONTWRITEBYTECODE: "1",
  PYTHONHASHSEED: "0",
  PYTHONUTF8: "1",
  NO_COLOR: "1",
});

function identityCommand({ identity }: BubblewrapSetting): string[] {
  if (identity.kind === "mapped") return [];
  const id = `${identity.uid}`;
  return ["setpriv", "--reuid", id, "--regid", id, "--clear-groups", "--no-new-privs", "--inh-caps=-all"];
}

// Two more processes than allowed: in a user namespace, the first process and its shell count as well.
function limitCommand({ limits }: Program): string[] {
  const fileBytes = Math.floor(limits.fileMb * 2 ** 20);
  return [
    "prlimit",
    `--cpu=${limits.cpuSeconds}:${limits.cpuSeconds + 1}`,
    `--data=${limits.memoryMb * 2 ** 20}`,
    `--nproc=${limits.processes + 2}`,
    `--fsize=${fileBytes}`,
    `--nofile=${openFiles}`,
    "--core=0",
    "--memlock=0",
    "--msgqueue=0",
    "--",
  ];
}

function programCommand({ node, python }: Interpreters, { command }: Program): string[] {
  const interpreter = command.program === "node" ? node : python;
  return interpreter === undefined ? ["false"] : [interpreter.path, ...command.args];
}
