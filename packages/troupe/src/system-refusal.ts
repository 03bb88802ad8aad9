import { exitCodes } from "./exit-code.ts";

/** What the user can do when the system refuses a path or has no room; its code and exit code are those of the table of errors. */
export interface SystemRefusal {
  readonly code: "disk_full" | "call_invalid";
  readonly help: string;
  readonly exit: number;
}

const refusedPath: SystemRefusal = {
  code: "call_invalid",
  help: "Name another path, or make this one usable.",
  exit: exitCodes.wrongCall,
};

/** Tells a full disk and a path that can't be used, which are the user's to mend, from the faults of the program. */
export function systemRefusal(thrown: unknown): SystemRefusal | undefined {
  if (!(thrown instanceof Error) || !("syscall" in thrown && "code" in thrown)) return undefined;
  switch (thrown.code) {
    case "ENOSPC":
    case "EDQUOT":
      return { code: "disk_full", help: "Make room, and try again.", exit: exitCodes.failed };
    case "EACCES":
    case "EPERM":
    case "EROFS":
    case "EEXIST":
    case "ENOTDIR":
    case "EISDIR":
    case "ENAMETOOLONG":
      return refusedPath;
    // A file that is missing may be one of ours; a folder that can't be made is the user's.
    case "ENOENT":
      return thrown.syscall === "mkdir" ? refusedPath : undefined;
    default:
      return undefined;
  }
}
