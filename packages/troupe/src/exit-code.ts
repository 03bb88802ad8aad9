/** The documented exit codes of the command. */
export const exitCodes = {
  done: 0,
  /** The run failed. */
  failed: 1,
  /** The call or a file was wrong. */
  wrongCall: 2,
  /** A limit ended the run. */
  exhausted: 3,
  /** Interrupted; the run can be resumed. */
  interrupted: 130,
} as const;

/** The exit code of a run's outcome. */
export function exitCodeOfOutcome(kind: "completed" | "failed" | "deadlocked" | "exhausted" | "cancelled"): number {
  switch (kind) {
    case "completed":
      return exitCodes.done;
    case "failed":
    case "deadlocked":
      return exitCodes.failed;
    case "exhausted":
      return exitCodes.exhausted;
    case "cancelled":
      return exitCodes.interrupted;
  }
}

/** The exit code of something that was thrown; the errors of Troupe know theirs. */
export function exitCodeOfError(thrown: unknown): number {
  const exit = typeof thrown === "object" && thrown !== null && "exit" in thrown ? thrown.exit : undefined;
  return typeof exit === "number" ? exit : exitCodes.failed;
}

/** The parser of the command line ends with negative codes, all of which mean that the call was wrong. */
export function exitCodeOfParser(code: number | string | null | undefined): number {
  const number = Number(code ?? 0);
  return number < 0 ? exitCodes.wrongCall : number;
}
