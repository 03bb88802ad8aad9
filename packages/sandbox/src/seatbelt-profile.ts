/** Folders of macOS that programs need to start. The Homebrew folders hold shared libraries of interpreters installed by it. */
const systemFolders = [
  "/bin",
  "/usr/bin",
  "/usr/lib",
  "/usr/share",
  "/usr/libexec",
  "/System",
  "/Library/Apple",
  "/Library/Frameworks",
  "/Library/Developer/CommandLineTools",
  "/opt/homebrew/Cellar",
  "/opt/homebrew/opt",
  "/opt/homebrew/lib",
  "/usr/local/Cellar",
  "/usr/local/opt",
  "/usr/local/lib",
  "/private/var/db/dyld",
  "/private/var/db/timezone",
  "/private/etc/localtime",
];

const readableDevices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom", "/dev/fd", "/dev/dtracehelper"];
const writableDevices = ["/dev/null", "/dev/zero", "/dev/fd", "/dev/dtracehelper"];

/**
 * A profile in the language of `sandbox-exec`: all is denied, then the least is allowed. Folders are parameters, so that no
 * name of a folder is ever part of the program.
 *
 * @param readable how many folders are passed as `READABLE_0`, `READABLE_1` and so on, besides `WORKSPACE`.
 */
export function seatbeltProfile(readable: number): string {
  const parameters = Array.from({ length: readable }, (_, index) => `(subpath (param "READABLE_${index}"))`);
  const folders = systemFolders.map((path) => `(subpath "${path}")`);
  return [
    "(version 1)",
    "(deny default)",
    "(deny network*)",
    "(allow process-fork)",
    `(allow process-exec ${[...folders, ...parameters].join(" ")} (subpath (param "WORKSPACE")))`,
    "(allow process-info* (target same-sandbox))",
    "(allow signal (target same-sandbox))",
    "(allow sysctl-read)",
    '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
    "(allow ipc-posix-sem)",
    '(allow file-read-metadata (literal "/") (literal "/private") (literal "/private/var") (literal "/var") (literal "/tmp") (literal "/etc"))',
    '(allow file-read* (literal "/"))',
    `(allow file-read* file-map-executable ${[...folders, ...parameters].join(" ")})`,
    `(allow file-read* ${readableDevices.map((path) => `(subpath "${path}")`).join(" ")})`,
    `(allow file-write* ${writableDevices.map((path) => `(subpath "${path}")`).join(" ")})`,
    '(allow file-read* file-write* file-map-executable (subpath (param "WORKSPACE")))',
    "",
  ].join("\n");
}

/**
 * The arguments of `sandbox-exec`, up to where the program's own words begin.
 *
 * @param workspace real path of the one folder that can be written to.
 * @param readable real paths of the interpreters and their libraries.
 */
export function seatbeltArguments(workspace: string, readable: readonly string[]): string[] {
  const parameters = readable.flatMap((path, index) => ["-D", `READABLE_${index}=${path}`]);
  return ["-D", `WORKSPACE=${workspace}`, ...parameters, "-p", seatbeltProfile(readable.length)];
}
